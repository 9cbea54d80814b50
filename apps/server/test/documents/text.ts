const WIDTH = 120

/** Returns a text in lines of at most 120 characters, each with a prefix. */
export function wrapped(text: string, prefix: string, firstPrefix = prefix): string {
  const [first = '', ...words] = text.trim().split(/\s+/)
  const lines = [firstPrefix + first]
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length <= WIDTH) lines[lines.length - 1] = line
    else lines.push(prefix + word)
  }
  return lines.join('\n')
}

/** Returns a document with new text between a comment that begins with a name, and the comment that ends the region. */
export function withRegions(document: string, name: string, textOf: (begin: string) => string): string {
  const region = new RegExp(`(<!-- ${name}:[^>]*-->\n)[^]*?(<!-- /${name} -->)`, 'g')
  return document.replace(region, (_, begin: string, end: string) => `${begin}\n${textOf(begin)}\n\n${end}`)
}
