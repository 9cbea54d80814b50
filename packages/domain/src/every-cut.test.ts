import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Slices that truncate no text by length: IDs, digests and other ASCII, lists without a plural name, and texts split
 * at a match.
 */
const NO_CUTS_BY_LENGTH: Readonly<Record<string, readonly string[]>> = {
  'apps/cli/src/account/token.ts': ['token.slice(0, PREFIX_LENGTH)', 'token.slice(0, -CHECKSUM_LENGTH)'],
  'apps/cli/src/acp/outbox.ts': ['key.slice(0, 12)', 'leftOut.slice(0, 3)'],
  'apps/cli/src/acp/permission.ts': ['digest.slice(0, 40)'],
  'apps/cli/src/acp/received.ts': ['key.slice(0, 12)'],
  'apps/cli/src/acp/turn.ts': [".digest('hex').slice(0, 40)"],
  'apps/cli/src/archive/mattermost.ts': ['.slice(0, 16)'],
  'apps/cli/src/archive/plan.ts': ['.slice(0, 60)'],
  'apps/cli/src/archive/slack.ts': ["list.slice(0, -'channels.json'.length)"],
  'apps/cli/src/archive/zulip.ts': ["file.slice(0, -'realm.json'.length)"],
  'apps/cli/src/event/thread.ts': ['text.slice(0, end)', 'unknown().slice(0, MAX_OLDER)'],
  'apps/cli/src/proof/file.ts': ["text.slice(0, text.indexOf('\\n'))"],
  'apps/cli/src/transfer/importer.ts': ['batch.slice(0, index)'],
  'apps/server/src/http/adapters/oauth.ts': ['protocol.slice(0, -1)'],
  'apps/server/src/http/page.ts': [".digest('base64url').slice(0, 22)"],
  'apps/server/src/http/target.ts': ['target.slice(0, mark)', 'pair.slice(0, equals)'],
  'apps/server/src/warnings.ts': ['name.slice(0, at)'],
  'apps/web/src/features/agent/TenantAgents.tsx': ['shown.slice(0, limit)'],
  'apps/web/src/app/Shell.tsx': ["path.split('/').slice(0, 3)"],
  'apps/web/src/features/composer/Composer.tsx': ['text.slice(0, currentTarget.selectionStart)'],
  'apps/web/src/features/composer/ComposerTools.tsx': ['field.value.slice(0, selected.start)'],
  'apps/web/src/features/composer/continuation.ts': ['text.slice(0, caret)'],
  'apps/web/src/features/composer/emoji-code.ts': [
    'text.slice(0, caret)',
    'text.slice(0, lineStart)',
    'line.slice(0, found.index)',
  ],
  'apps/web/src/features/composer/format.ts': ['text.slice(0, start)'],
  'apps/web/src/features/composer/mentions.ts': ['.slice(0, MAX_CANDIDATES)'],
  'apps/web/src/features/decision/Board.tsx': ['column.slice(0, limit)'],
  'apps/web/src/features/file/FilePreview.tsx': ['body.slice(0, MAX_ROWS)', 'row.slice(0, MAX_COLUMNS)'],
  'apps/web/src/features/file/csv.ts': ['text.slice(0, text.search(/[\\r\\n]|$/))'],
  'apps/web/src/features/home/space-id.ts': ['.slice(0, LIMITS.spaceId)'],
  'apps/web/src/shared/browser/progress-fetch.ts': ['line.slice(0, at)'],
  'apps/web/src/shared/query/done.ts': ['.slice(-MAX_SENT)'],
  'apps/web/src/shared/markdown/tokens.ts': ['text.slice(0, end)'],
  'apps/web/src/app/palette/commands.ts': ['.slice(0, limit)'],
  'apps/web/src/shared/query/sample.ts': ['randomKey().slice(0, 12)'],
  'apps/web/src/shared/session/session.tsx': ['token.slice(-8)'],
  'apps/web/src/features/inbox/snooze-times.ts': ["local.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)"],
  'apps/web/src/features/search/operators.ts': [
    'text.slice(0, caret)',
    '.slice(0, limit)',
    '.toISOString().slice(0, 10)',
    'today.slice(0, 7)',
    'today.slice(0, 4)',
    '.toISOString().slice(0, 7)',
  ],
  'apps/web/src/shared/emoji/emojis.ts': ['found.flat().slice(0, limit)'],
  'apps/web/src/features/space/CheckpointDialog.tsx': ["key.split('+').slice(0, 2)"],
  'apps/web/src/features/history/ThreadItem.tsx': ['people.slice(-MAX_AVATARS)'],
  'apps/web/src/features/thread/subject.ts': ['cut.slice(0, lastSpace)'],
  'packages/api/src/events/attribution.ts': ['...batch.slice(0, first.index)'],
  'packages/api/src/presenters/activity.ts': ['.slice(0, -1)'],
  'packages/api/src/presenters/credential.ts': ['made.slice(0, LIMITS.endedShown)'],
  'packages/api/src/presenters/event.ts': ['json.slice(0, index)'],
  'packages/api/src/presenters/search.ts': ['wire.slice(0, -1)'],
  'packages/api/src/presenters/webhook-message.ts': ['json(fields).slice(0, -1)'],
  'packages/api/src/procedure/output.ts': ['JSON.stringify(fields).slice(0, -1)'],
  'packages/api/src/procedure/perform.ts': ['...fairKey.slice(0, 2)'],
  'packages/operator/src/backup/reader.ts': ['.slice(0, -1)'],
  'packages/db/src/connection/batched.ts': ['waiting.slice(0, most)'],
  'packages/operator/src/migration/new.ts': [".replaceAll(/\\D/g, '').slice(0, 14)"],
  'packages/db/src/search/probe.ts': ['.slice(0, MAX_LEXEMES)'],
  'packages/db/src/search/search.ts': ['.slice(0, limit)'],
  'packages/domain/src/context/fill.ts': [
    '...matchesBesideFocus(material).slice(0, matches?.items ?? 0)',
    '(material.focus ?? []).slice(-focus.items)',
    'material.newest.slice(-newest.items)',
  ],
  'packages/domain/src/conversation.ts': ['hash.slice(0, 32)'],
  'packages/domain/src/incoming/github.ts': ['hash.substring(0, 7)'],
  'packages/domain/src/grant.ts': ['token.slice(-43)'],
  'packages/domain/src/mention.ts': ['text.slice(0, caret)', 'text.slice(0, from)', 'text.slice(0, found.length)'],
  'packages/domain/src/number.ts': ['all.slice(0, end)'],
  'packages/domain/src/quota.ts': ['now.toISOString().slice(0, 10)'],
  'packages/domain/src/sign-in.ts': ['code.slice(0, CODE_LENGTH / 2)', 'text.slice(0, at)'],
  'packages/domain/src/tenant.ts': ['.slice(0, SLUG_LENGTH)'],
  'packages/domain/src/time.ts': ["fraction.padEnd(3, '0').slice(0, 3)"],
  'packages/domain/src/token.ts': [
    'token.slice(-CHECKSUM_LENGTH)',
    'token.slice(0, -CHECKSUM_LENGTH)',
    'token.slice(0, SHOWN_LENGTH)',
  ],
  'packages/domain/src/work-claim.ts': ['subject.slice(0, colon)'],
  'packages/merkle/src/note.ts': ['note.slice(0, end + 1)'],
  'packages/postgres-embedded/src/root-access.ts': [".digest('hex').slice(0, 16)"],
  'packages/summarizer/src/candidates.ts': ['.slice(0, KEPT_PER_BLOCK)'],
  'packages/summarizer/src/links.ts': ['url.slice(0, end)'],
  'packages/summarizer/src/main-points.ts': ['.slice(0, SUPPORTING)'],
  'packages/summarizer/src/prompts.ts': ['.slice(-MAX_DECISIONS)'],
  'packages/summarizer/src/questions.ts': ['clause.slice(-END)'],
  'packages/summarizer/src/sentences.ts': ['open.slice(-12)'],
}

/** Matches slices from the beginning or to the end, except those that end at `cutBefore`. */
const CUT =
  /[\w.#?]*(?:\([^()]*\)|\[[^[\]]*\])?\.(?:slice|substring|substr)\((?:0, (?!cutBefore\()|-)[^()]*(?:\([^()]*\)[^()]*)*\)/g
/** Lists have plural names. */
const OF_LIST = /(?:s\??|\])\.(?:slice|substring|substr)\(/

/** The store truncates a text from PostgreSQL again, which needs one more character to find the boundary. */
const CUT_IN_SQL = /\bleft\([^`\n]*?\$\{?\w+\}?(?! \+ 1)\)/gi
/** Texts that are only examined, or that come with their length, by which the domain truncates them. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: templates of SQL
const NOT_SHOWN = ['left(${text}, $3)', 'left(d.text, ${LOOKED_AT})', 'left(d.resolution, ${LOOKED_AT})']
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: templates of SQL

function* sources(directory: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`
    if (entry.isDirectory() && entry.name !== 'generated') yield* sources(path)
    if (/\.tsx?$/.test(entry.name) && !/\.(?:test|cases)\.tsx?$/.test(entry.name)) yield path
  }
}

const packages = ['apps', 'packages'].flatMap((kind) =>
  readdirSync(join(ROOT, kind))
    .filter((name) => name !== 'testing')
    .map((name) => `${kind}/${name}/src`),
)

const files = packages.flatMap((directory) => [...sources(directory)])

describe('every truncation of a text by length', () => {
  it.each(files)('ends between graphemes: %s', (file) => {
    const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(CUT)].map(([cut]) => cut)
    expect(new Set(found.filter((cut) => !OF_LIST.test(cut)))).toEqual(new Set(NO_CUTS_BY_LENGTH[file]))
  })

  it('has exceptions in existing files only', () => {
    expect(Object.keys(NO_CUTS_BY_LENGTH).filter((file) => !files.includes(file))).toEqual([])
  })

  it.each(files.filter((file) => /^packages\/(db|operator)\//.test(file)))(
    'in SQL is repeated by the store: %s',
    (file) => {
      const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(CUT_IN_SQL)].map(([cut]) => cut)
      expect(found.filter((cut) => !NOT_SHOWN.includes(cut))).toEqual([])
    },
  )
})
