import { PAGES, SpacesError } from '@collab-spaces/client'
import type { Account } from '../../account/account.js'
import type { Cli } from '../../cli.js'
import { usage } from '../../failure.js'
import { cleanJson } from '../../terminal/clean.js'
import { jsonOf } from './answer.js'
import { homeOf, requestTo, send, type TypedRequest } from './request.js'

/** A list in pages, and how the page after another is asked for. */
interface PagedList {
  readonly path: RegExp
  /** The parameter that takes the ID of the last element so far, and the field where that is. */
  readonly cursor: 'since' | 'before' | 'cursor'
  readonly id: string
  readonly largest: number
}

export const PAGED: readonly PagedList[] = [
  { path: /\/api\/(actors\/me\/)?spaces$/, cursor: 'cursor', id: 'space_id', largest: PAGES.list.max },
  { path: /\/spaces\/[^/]+\/acts$/, cursor: 'since', id: 'position', largest: PAGES.acts.max },
  { path: /\/spaces\/[^/]+\/events$/, cursor: 'since', id: 'event_id', largest: PAGES.events.max },
  { path: /\/spaces\/[^/]+\/mentions\/[^/]+$/, cursor: 'since', id: 'event_id', largest: PAGES.mentions.max },
  { path: /\/spaces\/[^/]+\/files$/, cursor: 'before', id: 'file_id', largest: PAGES.files.max },
  { path: /\/spaces\/[^/]+\/threads$/, cursor: 'before', id: 'thread_id', largest: PAGES.threads.max },
  { path: /\/spaces\/[^/]+\/decisions$/, cursor: 'cursor', id: 'decision_id', largest: PAGES.list.max },
  { path: /\/api\/decisions$/, cursor: 'cursor', id: 'decision_id', largest: PAGES.decisions.max },
  { path: /\/audit$/, cursor: 'before', id: 'entry_id', largest: PAGES.audit.max },
]

/** Prints a list as one, page by page, unless a filter needs all of it at once. Other answers have one page. */
export async function printPages(cli: Cli, account: Account, typed: TypedRequest): Promise<void> {
  if (typed.method !== 'GET') throw usage('--paginate is for GET only')
  const indented = (value: unknown) => cleanJson(JSON.stringify(value, null, 2))
  const list: unknown[] = []
  let before = '['
  for await (const page of pagesOf(cli, account, typed)) {
    if (!Array.isArray(page)) return cli.out.longResult(page, indented)
    if (cli.out.isShaped) list.push(...page)
    else
      for (const element of page) {
        await cli.out.verbatim([`${before}\n${cleanJson(JSON.stringify(element))}`])
        before = ','
      }
  }
  if (cli.out.isShaped) return cli.out.longResult(list, indented)
  await cli.out.verbatim([before === '[' ? '[]\n' : '\n]\n'])
}

async function* pagesOf(cli: Cli, account: Account, typed: TypedRequest): AsyncGenerator<unknown, undefined> {
  const home = homeOf(cli, account)
  const request = await requestTo(account, typed)
  const { url } = request
  const paged = PAGED.find(({ path }) => path.test(url.pathname))
  const others = ['before', 'tail'].filter((name) => name !== paged?.cursor)
  if (paged && others.some((name) => url.searchParams.has(name))) {
    const problem = `--paginate starts with the first page, or at --field ${paged.cursor}=ID`
    throw usage(problem, `Leave out ${others.join(' and ')}`)
  }
  const limit = Number(url.searchParams.get('limit') ?? paged?.largest)
  if (paged) url.searchParams.set('limit', String(limit))
  for (;;) {
    const answer = await send(request, home)
    if (!answer.ok) throw SpacesError.refused(answer, await answer.text())
    const page = await jsonOf(answer)
    yield page
    if (!paged || !Array.isArray(page) || page.length < limit) return
    // The cursor stands for the first time, too.
    url.searchParams.delete('start')
    url.searchParams.set(paged.cursor, String(page.at(-1)[paged.id]))
  }
}
