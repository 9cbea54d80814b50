import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { table } from '../terminal/table.js'

interface Alias {
  readonly name: string
  readonly expansion: string
}

export function listOfAliases(aliases: readonly Alias[], style: Style): Text {
  if (aliases.length === 0) return 'No aliases. Create one: spaces alias set NAME EXPANSION'
  return table(style, aliases, {
    alias: ({ name }) => name,
    'stands for': ({ expansion }) => `spaces ${expansion}`,
  })
}
