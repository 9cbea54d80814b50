import { type ResourceTemplateType, UriTemplate } from '@modelcontextprotocol/server'
import { type Delimit, delimited } from './delimiter.js'
import { type Context, contextText, type Event, withAttribution } from './text.js'
import { operationOf, type Path } from './tools.js'

/** MCP resources. Like tools, they are procedures under other names, read by URI. */

interface Row {
  readonly name: string
  readonly template: string
  /** The procedure's path in the router. Its inputs are the variables of the template. */
  readonly procedure: Path
  readonly description: string
  readonly mimeType: string
  readonly text: (value: never, delimit: Delimit) => string
}

const asJson = (value: unknown, delimit: Delimit) => JSON.stringify(delimited(value, delimit))

const ROWS: readonly Row[] = [
  {
    name: 'event',
    template: 'spaces:///{space_id}/events/{event_id}',
    procedure: 'event.get',
    description: 'An event',
    mimeType: 'application/json',
    text: (event: Event, delimit) => asJson(withAttribution(event), delimit),
  },
  {
    name: 'decision',
    template: 'spaces:///{space_id}/decisions/{decision_id}',
    procedure: 'decision.get',
    description: 'A decision',
    mimeType: 'application/json',
    text: asJson,
  },
  {
    name: 'context',
    template: 'spaces:///{space_id}/context',
    procedure: 'context.get',
    description: 'What matters of a space',
    mimeType: 'text/markdown',
    text: (context: Context, delimit) => delimit(contextText(context)),
  },
]

/** The listed resource templates. */
export const templates: readonly ResourceTemplateType[] = ROWS.map(({ name, template, description, mimeType }) => ({
  name,
  uriTemplate: template,
  description,
  mimeType,
}))

const RESOURCES = ROWS.map(({ template, procedure, mimeType, text }) => ({
  template: new UriTemplate(template),
  operation: operationOf(procedure),
  mimeType,
  text: text as (value: unknown, delimit: Delimit) => string,
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
