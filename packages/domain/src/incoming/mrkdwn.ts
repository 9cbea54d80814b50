/** Code, which stays as it is, or one of Slack's angle brackets. */
const PART = /(```[\s\S]*?```|`[^`\n]+`)|<([^<>\n]+)>/g

/** Returns Slack's markup as Markdown. */
export function fromMrkdwn(text: string): string {
  let result = ''
  let end = 0
  for (const found of text.matchAll(PART)) {
    const [whole, code, bracket] = found
    result += styled(text.slice(end, found.index)) + (code === undefined ? reference(bracket ?? '') : unescaped(code))
    end = found.index + whole.length
  }
  return result + styled(text.slice(end))
}

/** `*bold*` and `~struck~`. `_emphasis_`, lists and quotations are the same in both. */
const styled = (text: string) =>
  unescaped(text)
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*\S)\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w~])~(?=\S)([^~\n]*\S)~(?![\w~])/g, '~~$1~~')

/** A link, or a name: `<https://a.example|here>`, `<@U1|ada>`, `<#C1|general>`, `<!here>`. */
function reference(content: string): string {
  const [target = '', label = ''] = content.split('|', 2).map(unescaped)
  if (/^[@#!]/.test(target)) return label === '' ? target.replace(/^!/, '@') : `${target[0] === '#' ? '#' : ''}${label}`
  if (/^mailto:/.test(target)) return label || target.replace('mailto:', '')
  return label === '' ? target : link(label, target)
}

/** Returns a Markdown link, or its text alone without an address that it can hold. */
export const link = (text: string, url: string): string =>
  /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${text}](${url})` : text

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
