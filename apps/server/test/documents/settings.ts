import { z } from 'zod'
import { SECTIONS } from '../../src/environment.js'
import { wrapped } from './text.js'

/** A setting as documents show it. */
interface Setting {
  readonly name: string
  readonly title: string
  readonly description: string
  /** As it is written in the environment; undefined for none. */
  readonly fallback: string | undefined
  readonly example: string
}

const sections = Object.entries(SECTIONS).map(([title, settings]) => ({
  title,
  settings: Object.entries(settings).map(([name, value]) => settingOf(name, value)),
}))

function settingOf(name: string, value: z.ZodType): Setting {
  const { title = '', description = '', example = '' } = value.meta() ?? {}
  const fallback = value instanceof z.ZodPrefault ? String(value.def.defaultValue) : undefined
  return { name, title, description, fallback, example: String(example) }
}

const INTRODUCTION = `The settings of the server, as environment variables. The server also reads a file named .env in the
  directory where you start it; the environment takes precedence. An empty value counts as unset. With an invalid value,
  the server does not start and prints the reason. The lines below show the defaults, or an example.`

/** Texts that apply to all settings of a section. */
const SECTION_INTRODUCTIONS: Partial<Record<string, string>> = {
  Limits: `All servers together count each limit, in windows of the clock. Other servers can exceed it by what they admit
    within a second, and by a hundredth each. Beyond it, requests get 429 with Retry-After. 0 means no limit.`,
}

/** Returns the file `.env.example`. */
export function environmentExample(): string {
  const paragraphs = sections.flatMap(({ title, settings }) => [
    `# --- ${title} `.padEnd(116, '-'),
    ...[SECTION_INTRODUCTIONS[title] ?? []].flat().map(comment),
    ...settings.map(
      ({ name, description, fallback, example }) => `${comment(description)}\n# ${name}=${fallback ?? example}`,
    ),
  ])
  return `${[comment(INTRODUCTION), ...paragraphs].join('\n\n')}\n`
}

const comment = (text: string) => wrapped(text, '# ')

/** Returns the table of settings. */
export function settingsTable(): string {
  const rows = sections.flatMap(({ settings }) => settings).map(rowOf)
  return ['| Setting | Default | |', '|---|---|---|', ...rows].join('\n')
}

const rowOf = ({ name, title, fallback }: Setting) =>
  `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\` `}| ${title} |`
