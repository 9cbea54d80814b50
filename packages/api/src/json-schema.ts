import { z } from 'zod'

/** The schema of a field, as far as it is looked into. */
export interface FieldSchema {
  description?: string
  type?: string | string[]
  anyOf?: FieldSchema[]
  enum?: unknown[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
  additionalProperties?: boolean
  default?: unknown
  [keyword: string]: unknown
}

/** Keywords that strict modes of models do not take. The server says itself what is too long. */
const LEFT_OUT = ['minLength', 'maxLength', 'default', 'examples']

/**
 * Returns some fields of an input as JSON Schema, in the form that strict modes of models take: objects are closed, and
 * what may be left out may be null.
 */
export function jsonSchemaOf(input: z.ZodObject, fields: readonly string[], changes: Changes = {}) {
  const picked = z.object(Object.fromEntries(fields.map((field) => [field, input.shape[field] as z.ZodType])))
  const { properties = {}, required = [] } = z.toJSONSchema(picked, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The document's library reads it so, too.
      const { override } = jsonSchema
      delete jsonSchema.override
      Object.assign(jsonSchema, override)
    },
  }) as FieldSchema
  const changed = Object.entries(properties).map(([name, schema]): [string, FieldSchema] => {
    const strict = strictly({ ...withoutNull(schema), ...changes[name] })
    return [name, required.includes(name) ? strict : orNull(strict)]
  })
  return { type: 'object' as const, properties: Object.fromEntries(changed), required, additionalProperties: false }
}

/** Parts of schemas that are to be different, by their fields. */
type Changes = Readonly<Partial<Record<string, FieldSchema>>>

function strictly(schema: FieldSchema): FieldSchema {
  const { description, default: fallback, items, properties } = schema
  const kept = Object.entries(schema).filter(([keyword, value]) => !LEFT_OUT.includes(keyword) && !isUnbounded(value))
  const said = [description?.replace(EXTENSION, ''), fallback !== undefined && `Default: ${fallback}`].filter(Boolean)
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, strictly(field)] as const)
  return {
    ...Object.fromEntries(kept),
    ...(said.length > 0 && { description: said.join('. ') }),
    ...(items && { items: strictly(items) }),
    ...(properties && { properties: Object.fromEntries(fields), additionalProperties: false }),
  }
}

/** The mark of what the reference does not have, at the end of a description. */
export const EXTENSION = /\.? ?Extension$/

/** The bounds of what a double can count are none. */
export const isUnbounded = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER

const orNull = ({ type, enum: words, ...schema }: FieldSchema): FieldSchema => ({
  ...(type !== undefined && { type: [...[type].flat(), 'null'] }),
  ...(words && { enum: [...words, null] }),
  ...schema,
})

/** In a body, an absent field may be `null`; elsewhere it is just left out. */
export function withoutNull(schema: FieldSchema): FieldSchema {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    return { ...rest, type: types.length === 1 ? (types[0] as string) : types }
  }
  const choices = anyOf?.filter((choice) => choice.type !== 'null')
  return choices?.length === 1 ? { ...choices[0], ...rest } : schema
}
