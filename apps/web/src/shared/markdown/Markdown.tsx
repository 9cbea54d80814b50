import { type Inline, type InlineText, type Mentionable, wordsOf } from '@collab-spaces/client'
import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { OutsideLink } from '../components/OutsideLink'
import { Code } from './Code'
import styles from './Markdown.module.css'
import { type Marks, mentionMarks, withMarks } from './marks'
import { parsed } from './tokens'

interface MarkdownProps {
  readonly text: string
  /** The actors whose names stand out where they are mentioned. */
  readonly mentioned?: readonly Mentionable[] | undefined
  /** Other pieces that stand out, instead of mentions. */
  readonly marks?: Marks | undefined
}

const NO_ACTORS: readonly Mentionable[] = []

/**
 * Markdown as elements. It is never made into HTML: what is no Markdown that is known here, such as a tag, is text. Links
 * lead to the web or to a mailbox; pictures would tell their host who reads here, so they are links, too.
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

/** Each of the outermost has the direction of its own words (`auto`), and what is within it has the same. */
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

/** An address that is a link without words, as it is written, which a text next to it may be a part of; otherwise empty. */
function addressOf(token: Inline | Tokens.Checkbox | undefined): string {
  if (token?.type !== 'link' || !token.isBare) return ''
  const words = wordsOf(token)
  return token.to - token.from > words.length ? `<${words}>` : words
}

/** A text never changes, so the place of a token in it is its identity. */
const keyOf = ({ type }: Pick<Token, 'type'>, at: number) => `${at} ${type}`

function block(token: Token, marks: Marks | null, dir: Direction): ReactNode {
  const known = token as Tokens.Generic
  switch (token.type) {
    case 'space':
    case 'def':
    // The item has its box already.
    case 'checkbox':
      return null
    case 'paragraph':
      return <p dir={dir}>{inlines(known.tokens, marks)}</p>
    case 'heading':
      // The page has its own headings: those within a message are only strong.
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

/** The words of a task, without the tasks below it. */
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
      // An address that was not put into words has no mention.
      return link(
        token.href,
        token.tokens.length === 0 ? token.href : inlinesOf(token.tokens, token.isBare ? null : marks),
      )
    case 'image':
      return link(token.href, token.text || token.href)
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
