import { shorten } from '../cut.js'
import { invalid } from '../errors.js'
import type { IncomingRequest } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { LIMITS } from '../limits.js'
import { listAt, objectAt, paragraphs, plain, textAt } from './field.js'
import { fromMrkdwn, link } from './mrkdwn.js'

/** A request to an incoming webhook of Slack: `text`, `blocks` and `attachments`. */
export function fromSlack(body: JsonObject): IncomingRequest {
  const blocks = blocksText(body)
  const attachments = listAt(body, 'attachments').map(attachmentText)
  // With blocks, Slack shows the text in notifications only.
  const text = paragraphs(blocks || fromMrkdwn(textAt(body, 'text')), ...attachments).trim()
  if (text === '') throw invalid('text', 'is required, unless blocks or attachments have some')
  return { kind: 'message', message: { text: shorten(text, LIMITS.text), logins: usersIn(body) } }
}

/** The ids of the users that a request names: `<@U1>` in a text, or `user_id` in rich text. */
const usersIn = (body: JsonObject): readonly string[] =>
  Array.from(JSON.stringify(body).matchAll(/(?:<@|"user_id":")([A-Z\d]{1,30})\b/g), ([, id = '']) => id)

const blocksText = (of: unknown) => paragraphs(...listAt(of, 'blocks').map(blockText))

function blockText(block: unknown): string {
  switch (textAt(block, 'type')) {
    case 'header':
      return `**${plain(textAt(block, 'text', 'text'))}**`
    case 'section':
      return paragraphs(textObject(objectAt(block, 'text')), listAt(block, 'fields').map(textObject).join('\n'))
    case 'context':
      return listAt(block, 'elements').map(elementText).join(' ')
    case 'actions':
      return listAt(block, 'elements').map(elementText).filter(Boolean).join(' · ')
    case 'image':
      return link(plain(textAt(block, 'alt_text') || 'Image'), textAt(block, 'image_url'))
    case 'divider':
      return '---'
    case 'markdown':
      return textAt(block, 'text')
    case 'rich_text':
      return paragraphs(...listAt(block, 'elements').map(richText))
    default:
      return ''
  }
}

/** `{type: 'mrkdwn' | 'plain_text', text}`. */
function textObject(of: unknown): string {
  const text = textAt(of, 'text')
  return textAt(of, 'type') === 'mrkdwn' ? fromMrkdwn(text) : text
}

/** A text, an image, or a button with an address. */
function elementText(element: unknown): string {
  const type = textAt(element, 'type')
  if (type === 'image') return link(plain(textAt(element, 'alt_text')), textAt(element, 'image_url'))
  if (type === 'button') return link(plain(textAt(element, 'text', 'text')), textAt(element, 'url'))
  return textObject(element)
}

function richText(part: unknown): string {
  const type = textAt(part, 'type')
  if (type === 'rich_text_list') {
    const isOrdered = textAt(part, 'style') === 'ordered'
    return listAt(part, 'elements')
      .map((item, index) => `${isOrdered ? `${index + 1}.` : '-'} ${richText(item)}`)
      .join('\n')
  }
  const text = listAt(part, 'elements').map(richPiece).join('')
  if (type === 'rich_text_preformatted') return `\`\`\`\n${text}\n\`\`\``
  return type === 'rich_text_quote' ? text.replace(/^/gm, '> ') : text
}

function richPiece(piece: unknown): string {
  switch (textAt(piece, 'type')) {
    case 'text':
      return styledPiece(textAt(piece, 'text'), objectAt(piece, 'style'))
    case 'link':
      return link(plain(textAt(piece, 'text') || textAt(piece, 'url')), textAt(piece, 'url'))
    case 'emoji':
      return `:${textAt(piece, 'name')}:`
    case 'user':
      return `@${textAt(piece, 'user_id')}`
    case 'channel':
      return `#${textAt(piece, 'channel_id')}`
    case 'broadcast':
      return `@${textAt(piece, 'range')}`
    default:
      return ''
  }
}

const MARKS = [
  ['code', '`'],
  ['strike', '~~'],
  ['italic', '_'],
  ['bold', '**'],
] as const

function styledPiece(text: string, style: JsonObject | null): string {
  const marks = MARKS.filter(([name]) => style?.[name] === true && text.trim() !== '')
  return marks.reduce((marked, [, mark]) => marked.replace(/^(\s*)([\s\S]*\S)(\s*)$/, `$1${mark}$2${mark}$3`), text)
}

/** An attachment of the older kind, which monitoring tools send. */
function attachmentText(attachment: unknown): string {
  const title = plain(textAt(attachment, 'title'))
  const fields = listAt(attachment, 'fields').map(
    (field) => `**${plain(textAt(field, 'title'))}**: ${fromMrkdwn(textAt(field, 'value'))}`,
  )
  const text = paragraphs(
    fromMrkdwn(textAt(attachment, 'pretext')),
    plain(textAt(attachment, 'author_name')),
    title && `**${link(title, textAt(attachment, 'title_link'))}**`,
    fromMrkdwn(textAt(attachment, 'text')),
    blocksText(attachment),
    fields.join('\n'),
    link('Image', textAt(attachment, 'image_url')).replace(/^Image$/, ''),
    plain(textAt(attachment, 'footer')),
  )
  return text === '' ? fromMrkdwn(textAt(attachment, 'fallback')) : text
}
