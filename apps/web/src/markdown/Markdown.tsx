import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { OutsideLink } from '../components/OutsideLink'
import { namePattern } from '../composer/mentions'
import { Code } from './Code'
import styles from './Markdown.module.css'
import { parsed } from './tokens'

interface MarkdownProps {
  readonly text: string
  /** The names that stand out where they are mentioned. */
  readonly names?: readonly string[] | undefined
  /** Other pieces that stand out, instead of names. */
  readonly marks?: Marks | undefined
}

/** Pieces of the text that are shown in another way. */
export interface Marks {
  /** Global. */
  readonly pattern: RegExp
  readonly render: (found: string) => ReactNode
}

const NOBODY: readonly string[] = []

/**
 * Markdown as elements. It is never made into HTML: what is no Markdown that is known here, such as a tag, is text. Links
 * lead to the web or to a mailbox; pictures would tell their host who reads here, so they are links, too.
 */
export function Markdown({ text, names = NOBODY, marks }: MarkdownProps) {
  const markdown = useMemo(() => parsed(text), [text])
  const mention = useMemo(() => marks ?? mentionsOf(names), [marks, names])
  return (
    <div className={styles.markdown}>
      {'tokens' in markdown ? (
        blocks(markdown.tokens, mention, 'auto')
      ) : (
        <p className={styles.plain} dir="auto">
          {withMarks(markdown.plain, mention)}
        </p>
      )}
    </div>
  )
}

type Mention = Marks | null

function mentionsOf(names: readonly string[]): Mention {
  if (names.length === 0) return null
  return {
    pattern: namePattern(names),
    render: (name) => <bdi className={styles.mention}>{name}</bdi>,
  }
}

/** Each of the outermost has the direction of its own words (`auto`), and what is within it has the same. */
type Direction = 'auto' | undefined

const blocks = (tokens: readonly Token[], mention: Mention, dir?: Direction): ReactNode[] =>
  tokens.map((token, at) => <Fragment key={keyOf(token, at)}>{block(token, mention, dir)}</Fragment>)

const inlines = (tokens: readonly Token[] | undefined, mention: Mention): ReactNode[] =>
  (tokens ?? []).map((token, at) => <Fragment key={keyOf(token, at)}>{inline(token, mention)}</Fragment>)

/** A text never changes, so the place of a token in it is its identity. */
const keyOf = ({ type }: Token, at: number) => `${at} ${type}`

function block(token: Token, mention: Mention, dir: Direction): ReactNode {
  const known = token as Tokens.Generic
  switch (token.type) {
    case 'space':
    case 'def':
    // The item has its box already.
    case 'checkbox':
      return null
    case 'paragraph':
      return <p dir={dir}>{inlines(known.tokens, mention)}</p>
    case 'heading':
      // The page has its own headings: those within a message are only strong.
      return (
        <p className={styles.heading} dir={dir} data-depth={Math.min(known.depth, 3)}>
          {inlines(known.tokens, mention)}
        </p>
      )
    case 'code':
      return <Code text={known.text} language={known.lang ?? ''} />
    case 'blockquote':
      return <blockquote dir={dir}>{blocks(known.tokens ?? [], mention)}</blockquote>
    case 'list':
      return list(known as Tokens.List, mention, dir)
    case 'table':
      return table(known as Tokens.Table, mention, dir)
    case 'hr':
      return <hr />
    case 'text':
      return known.tokens ? (
        inlines(known.tokens, mention)
      ) : (
        <span className={styles.plain}>{withMarks(known.text, mention)}</span>
      )
    default:
      return <p dir={dir}>{token.raw.trim()}</p>
  }
}

function list({ ordered, start, items }: Tokens.List, mention: Mention, dir: Direction): ReactNode {
  const children = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
    <li key={at} data-task={item.task || undefined}>
      {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={item.text} />}
      {blocks(item.tokens, mention)}
    </li>
  ))
  return ordered ? (
    <ol start={Number(start) || 1} dir={dir}>
      {children}
    </ol>
  ) : (
    <ul dir={dir}>{children}</ul>
  )
}

function table({ header, rows, align }: Tokens.Table, mention: Mention, dir: Direction): ReactNode {
  const cells = (Cell: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
    row.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <Cell key={at} data-align={align[at] ?? undefined}>
        {inlines(cell.tokens, mention)}
      </Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div className={styles.table} tabIndex={0} dir={dir}>
      <table>
        <thead>
          <tr>{cells('th', header)}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
            <tr key={at}>{cells('td', row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(token: Token, mention: Mention): ReactNode {
  const known = token as Tokens.Generic
  switch (token.type) {
    case 'text':
    case 'escape':
      return known.tokens ? inlines(known.tokens, mention) : withMarks(known.text, mention)
    case 'strong':
      return <strong>{inlines(known.tokens, mention)}</strong>
    case 'em':
      return <em>{inlines(known.tokens, mention)}</em>
    case 'del':
      return <del>{inlines(known.tokens, mention)}</del>
    case 'codespan':
      return <code>{known.text}</code>
    case 'br':
      return <br />
    case 'checkbox':
      return null
    case 'link':
      return link(known.href, inlines(known.tokens, mention))
    case 'image':
      return link(known.href, known.text || known.href)
    default:
      return token.raw
  }
}

function link(href: string, content: ReactNode): ReactNode {
  const address = safeAddress(href)
  return address === null ? content : <OutsideLink href={address}>{content}</OutsideLink>
}

/** An address that does nothing but lead somewhere; null for any other, such as a script. */
export function safeAddress(href: string): string | null {
  const url = URL.canParse(href) ? new URL(href) : null
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

/** A text in which some pieces are shown in another way. */
export function withMarks(text: string, marks: Marks | null): ReactNode {
  if (!marks) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(marks.pattern)) {
    parts.push(text.slice(end, match.index))
    parts.push(<Fragment key={match.index}>{marks.render(match[0])}</Fragment>)
    end = match.index + match[0].length
  }
  return end === 0 ? text : [...parts, text.slice(end)]
}
