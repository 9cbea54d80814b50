import { type ResourceTemplateType, UriTemplate } from '@modelcontextprotocol/server'
import { type Delimit, delimited } from './delimiter.js'
import { readWholeFile } from './read-file.js'
import { type Context, contextText, type Event, withAttribution } from './text.js'
import { operationOf, type Path } from './tools.js'

/** MCP resources. Like tools, they are procedures under other names, read by URI. */

interface Row {
  readonly name: string
  readonly template: string
  /** The procedure's path in the router. Its inputs are the variables of the template. */
  readonly procedure: Path
  readonly description: string
  /** Of every resource of the row; absent if they differ. */
  readonly mimeType?: string
  /** Makes another value of the procedure's result. */
  readonly read?: (result: never) => Promise<unknown>
  readonly contents: (value: never, delimit: Delimit) => Contents
}

type Contents = { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string })

const asJson = (value: unknown, delimit: Delimit): Contents => ({
  mimeType: 'application/json',
  text: JSON.stringify(delimited(value, delimit)),
})

const ROWS: readonly Row[] = [
  {
    name: 'event',
    template: 'spaces:///{space_id}/events/{event_id}',
    procedure: 'event.get',
    description: 'An event',
    mimeType: 'application/json',
    contents: (event: Event, delimit) => asJson(withAttribution(event), delimit),
  },
  {
    name: 'decision',
    template: 'spaces:///{space_id}/decisions/{decision_id}',
    procedure: 'decision.get',
    description: 'A decision',
    mimeType: 'application/json',
    contents: asJson,
  },
  {
    name: 'file',
    template: 'spaces:///{space_id}/files/{file_id}',
    procedure: 'file.content',
    description: 'A file of an event',
    read: readWholeFile,
    contents: (file: Contents, delimit) => ('text' in file ? { ...file, text: delimit(file.text) } : file),
  },
  {
    name: 'context',
    template: 'spaces:///{space_id}/context',
    procedure: 'context.get',
    description: 'What matters of a space',
    mimeType: 'text/markdown',
    contents: (context: Context, delimit) => ({ mimeType: 'text/markdown', text: delimit(contextText(context)) }),
  },
]

/** The listed resource templates. */
export const templates: readonly ResourceTemplateType[] = ROWS.map(({ name, template, description, mimeType }) => ({
  name,
  uriTemplate: template,
  description,
  ...(mimeType !== undefined && { mimeType }),
}))

const RESOURCES = ROWS.map(({ template, procedure, read, contents }) => ({
  template: new UriTemplate(template),
  operation: operationOf(procedure),
  read: read as ((result: unknown) => Promise<unknown>) | undefined,
  contents: contents as (value: unknown, delimit: Delimit) => Contents,
}))

/** Returns the resource of a URI; null for an unknown one. */
export function resourceAt(uri: string) {
  for (const { template, ...resource } of RESOURCES) {
    const variables = template.match(uri)
    if (variables) return { ...resource, input: decoded(variables) }
  }
  return null
}

const decoded = (variables: Readonly<Record<string, string | string[]>>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decode(String(value))]))

/** Decodes a value. An invalid encoding stays as it is, which is an unknown ID. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
