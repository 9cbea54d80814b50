import { type ResourceTemplateType, UriTemplate } from '@modelcontextprotocol/server'
import { type Delimit, delimited } from './delimiter.js'
import { type Context, contextText, type Event, withAttribution } from './text.js'
import { operationOf, type Path } from './tools.js'

/** Resources are read by their addresses. Like tools, they are procedures under other names. */

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

/** The templates as they are listed. */
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

/** The resource of an address; null if none has it. */
export function resourceAt(uri: string) {
  for (const { template, ...resource } of RESOURCES) {
    const variables = template.match(uri)
    if (variables) return { ...resource, input: decoded(variables) }
  }
  return null
}

const decoded = (variables: Readonly<Record<string, string | string[]>>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decode(String(value))]))

/** A value that is no valid encoding is left as it is, and is then the id of nothing. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
