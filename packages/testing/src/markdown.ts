/** A code block in a document, or a hidden line for its test. */
export interface Block {
  /** The language of the fence, '' for an indented block, `run` for a comment `<!-- run: … -->`. */
  readonly language: string
  readonly text: string
  /** The number of its first line, from 1. */
  readonly line: number
  /** The reason for not running it: `<!-- not run: … -->` before it. */
  readonly notRun?: string
  /** Its file name: `<!-- file: … -->` before it, or a first or second line `# NAME: …`. */
  readonly file?: string
}

const FENCE = /^```(\w*)$/
const MARKER = /^<!-- (not run|file|run)(?::|$) ?(.*)$/
/** A first line, or the one after `#!`, with a comment that starts with a file name. */
const OWN_NAME = /^(?:#!.*\n)?(?:#|\/\/) ([\w-]+\.(?:sh|m?[jt]s|py))\b/

/**
 * Returns all code blocks of a Markdown text, in order, with the markers that tell how to test them. Throws on a form
 * that the documents do not use, so that no block is skipped.
 */
export function blocksIn(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let marker: Partial<Record<'notRun' | 'file', string>> = {}
  let index = 0

  /** Returns the lines up to the closing one, which is read, too. */
  const until = (isEnd: (line: string) => boolean): string[] => {
    const from = index
    while (index < lines.length && !isEnd(lines[index] as string)) index++
    return lines.slice(from, index++)
  }
  const add = (language: string, text: string, line: number) => {
    const file = marker.file ?? OWN_NAME.exec(text)?.[1]
    blocks.push({ language, text, line, ...marker, ...(file !== undefined && { file }) })
    marker = {}
  }

  while (index < lines.length) {
    const line = lines[index] as string
    const number = index + 1
    const [, language] = FENCE.exec(line) ?? []
    const [, kind, first = ''] = MARKER.exec(line) ?? []
    if (language !== undefined) {
      index++
      add(language, `${until((end) => end === '```').join('\n')}\n`, number)
    } else if (kind !== undefined) {
      const closes = line.endsWith('-->')
      index++
      const rest = closes ? [] : until((end) => end.endsWith('-->'))
      const last = closes ? '' : (lines[index - 1] as string)
      const text = [first, ...rest, last]
        .join('\n')
        .replace(/\s*-->\n*$/, '')
        .trim()
      if (text === '') throw new Error(`Line ${number}: a marker without a word`)
      if (kind === 'run') blocks.push({ language: 'run', text: `${text}\n`, line: number })
      else marker = { ...marker, [kind === 'file' ? 'file' : 'notRun']: text }
    } else if (/^ {4}\S/.test(line) && (index === 0 || lines[index - 1] === '')) {
      add('', `${until((end) => end === '' && !/^ {4}/.test(lines[index + 1] ?? '')).join('\n')}\n`, number)
    } else if (/^\s*(```|~~~)/.test(line)) {
      throw new Error(`Line ${number}: a fence must start the line and have at most one word`)
    } else {
      if (line !== '' && Object.keys(marker).length > 0) throw new Error(`Line ${number}: a marker without a block`)
      index++
    }
  }
  if (Object.keys(marker).length > 0) throw new Error('A marker without a block at the end')
  return blocks
}
