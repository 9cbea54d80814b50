import { z } from 'zod'

/** The fields of a schema that are read here. */
export interface FieldSchema {
  $ref?: string
  description?: string
  type?: string | string[]
  anyOf?: FieldSchema[]
  oneOf?: FieldSchema[]
  enum?: unknown[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
  additionalProperties?: boolean | FieldSchema
  default?: unknown
  examples?: unknown[]
  [keyword: string]: unknown
}

/** Keywords that strict modes of models reject. The server checks these limits itself. */
const LEFT_OUT = ['minLength', 'maxLength', 'default', 'examples']

/**
 * Returns fields of an input as JSON Schema in the form that strict modes of models accept: objects are closed, and
 * optional fields are nullable.
 */
export function jsonSchemaOf(input: z.ZodObject, fields: readonly string[], changes: Changes = {}) {
  const picked = z.object(Object.fromEntries(fields.map((field) => [field, input.shape[field] as z.ZodType])))
  const { properties = {}, required = [] } = z.toJSONSchema(picked, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The OpenAPI library reads it likewise.
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

/** Replacements of schemas, by field. */
type Changes = Readonly<Partial<Record<string, FieldSchema>>>

function strictly(schema: FieldSchema): FieldSchema {
  const { description, default: fallback, items, properties } = schema
  const kept = Object.entries(schema).filter(([keyword, value]) => !LEFT_OUT.includes(keyword) && !isUnbounded(value))
  const sentences = [description?.replace(EXTENSION, ''), fallback !== undefined && `Default: ${fallback}`].filter(
    Boolean,
  )
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, strictly(field)] as const)
  return {
    ...Object.fromEntries(kept),
    ...(sentences.length > 0 && { description: sentences.join('. ') }),
    ...(items && { items: strictly(items) }),
    ...(properties && { properties: Object.fromEntries(fields), additionalProperties: false }),
  }
}

/** The mark of an extension of the reference, at the end of a description. */
export const EXTENSION = /\.? ?Extension$/

/** The bounds of safe integers, which say nothing. */
export const isUnbounded = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER

const orNull = ({ type, enum: words, ...schema }: FieldSchema): FieldSchema => ({
  ...(type !== undefined && { type: [...[type].flat(), 'null'] }),
  ...(words && { enum: [...words, null] }),
  ...schema,
})

/** In a body, an absent field may be `null`; elsewhere it is omitted. */
export function withoutNull(schema: FieldSchema): FieldSchema {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null')
    return { ...rest, type: types.length === 1 ? (types[0] as string) : types }
  }
  const choices = anyOf?.filter((choice) => choice.type !== 'null')
  return choices?.length === 1 ? { ...choices[0], ...rest } : schema
}
