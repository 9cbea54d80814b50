import { type Inline, type InlineText, type Mentionable, wordsOf } from '@collab-spaces/client'
import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { UserLink } from '../components/Text'
import { Code } from './Code'
import styles from './Markdown.module.css'
import { type Marks, mentionMarks, withMarks } from './marks'
import { parsed } from './tokens'

interface MarkdownProps {
  readonly text: string
  /** The actors whose mentions are highlighted. */
  readonly mentioned?: readonly Mentionable[] | undefined
  /** Other highlighted pieces, instead of mentions. */
  readonly marks?: Marks | undefined
}

const NO_ACTORS: readonly Mentionable[] = []

/**
 * Renders Markdown as React elements, never as HTML: unsupported syntax, such as a tag, is text. Links lead to the web
 * or to an email address. Images are links, too, as loading them would reveal the reader to their host.
 */
export function Markdown({ text, mentioned = NO_ACTORS, marks: otherMarks }: MarkdownProps) {
  const markdown = useMemo(() => parsed(text), [text])
  const marks = useMemo(() => otherMarks ?? mentionMarks(mentioned, mention), [otherMarks, mentioned])
  return (
    <div className={styles.markdown}>
      {'tokens' in markdown ? (
        blocks(markdown.tokens, marks, 'auto')
      ) : (
        <p className={styles.plain} dir="auto">
          {withMarks(markdown.plain, marks)}
        </p>
      )}
    </div>
  )
}

const mention = (name: string) => <bdi className={styles.mention}>{name}</bdi>

/** Top-level blocks take the direction of their text (`auto`), and their children inherit it. */
type Direction = 'auto' | undefined

const blocks = (tokens: readonly Token[], marks: Marks | null, dir?: Direction): ReactNode[] =>
  tokens.map((token, at) => <Fragment key={keyOf(token, at)}>{block(token, marks, dir)}</Fragment>)

const inlines = (tokens: readonly Token[] = [], marks: Marks | null): ReactNode[] =>
  inlinesOf(tokens as readonly (Inline | Tokens.Checkbox)[], marks)

const inlinesOf = (tokens: readonly (Inline | Tokens.Checkbox)[], marks: Marks | null): ReactNode[] =>
  tokens.map((token, at, { [at - 1]: before, [at + 1]: after }) => (
    <Fragment key={keyOf(token, at)}>
      {token.type === 'text' ? withMarks(token.text, marks, addressOf(before), addressOf(after)) : inline(token, marks)}
    </Fragment>
  ))

/** Returns the text of a bare URL, as adjacent text may belong to it; empty for any other token. */
function addressOf(token: Inline | Tokens.Checkbox | undefined): string {
  if (token?.type !== 'link' || !token.isBare) return ''
  const words = wordsOf(token)
  return token.to - token.from > words.length ? `<${words}>` : words
}

/** The index identifies a token, as a text never changes. */
const keyOf = ({ type }: Pick<Token, 'type'>, at: number) => `${at} ${type}`

function block(token: Token, marks: Marks | null, dir: Direction): ReactNode {
  const known = token as Tokens.Generic
  switch (token.type) {
    case 'space':
    case 'def':
    // The list item renders its checkbox.
    case 'checkbox':
      return null
    case 'paragraph':
      return <p dir={dir}>{inlines(known.tokens, marks)}</p>
    case 'heading':
      // Headings in messages are styled paragraphs, to keep the page's heading structure.
      return (
        <p className={styles.heading} dir={dir} data-depth={Math.min(known.depth, 3)}>
          {inlines(known.tokens, marks)}
        </p>
      )
    case 'code':
      return <Code text={known.text} language={known.lang ?? ''} />
    case 'blockquote':
      return <blockquote dir={dir}>{blocks(known.tokens ?? [], marks?.inQuotations ? marks : null)}</blockquote>
    case 'list':
      return list(known as Tokens.List, marks, dir)
    case 'table':
      return table(known as Tokens.Table, marks, dir)
    case 'hr':
      return <hr />
    case 'text':
      return known.tokens ? (
        inlines(known.tokens, marks)
      ) : (
        <span className={styles.plain}>{withMarks(known.text, marks)}</span>
      )
    default:
      return <p dir={dir}>{token.raw.trim()}</p>
  }
}

function list({ ordered, start, items }: Tokens.List, marks: Marks | null, dir: Direction): ReactNode {
  const children = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
    <li key={at} data-task={item.task || undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label={ownWords(item)} />
      )}
      {blocks(item.tokens, marks)}
    </li>
  ))
  return ordered ? (
    <ol start={Number(start)} dir={dir}>
      {children}
    </ol>
  ) : (
    <ul dir={dir}>{children}</ul>
  )
}

/** Returns the text of a task without its subtasks. */
function ownWords({ tokens }: Tokens.ListItem): string {
  const own = tokens.find((token) => 'tokens' in token && token.type !== 'list') as Tokens.Generic | undefined
  const inner = (own?.tokens ?? []) as readonly (Inline | Tokens.Checkbox)[]
  return inner.map((token) => (token.type === 'checkbox' ? '' : wordsOf(token))).join('')
}

function table({ header, rows, align }: Tokens.Table, marks: Marks | null, dir: Direction): ReactNode {
  const cells = (Cell: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
    row.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes
      <Cell key={at} data-align={align[at] ?? undefined}>
        {inlines(cell.tokens, marks)}
      </Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
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

function inline(token: Exclude<Inline, InlineText> | Tokens.Checkbox, marks: Marks | null): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlinesOf(token.tokens, marks)}</strong>
    case 'em':
      return <em>{inlinesOf(token.tokens, marks)}</em>
    case 'del':
      return <del>{inlinesOf(token.tokens, marks)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'checkbox':
      return null
    case 'link':
      // A bare URL contains no mention.
      return link(
        token.href,
        token.tokens.length === 0 ? token.href : inlinesOf(token.tokens, token.isBare ? null : marks),
        token.tokens.length > 0 && !token.isBare,
      )
    case 'image':
      return link(token.href, token.text || token.href, token.text !== '')
  }
}

function link(href: string, content: ReactNode, hasText: boolean): ReactNode {
  const address = safeAddress(href)
  if (address === null) return content
  return (
    <UserLink href={address} isPrinted={hasText}>
      {content}
    </UserLink>
  )
}

/** Returns an HTTP or `mailto:` URL; null for any other scheme, such as `javascript:`. */
export function safeAddress(href: string): string | null {
  const url = URL.canParse(href) ? new URL(href) : null
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}
