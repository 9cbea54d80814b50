import { z } from 'zod'

/** The schema of a field, as far as it is looked into. */
export interface FieldSchema {
  description?: string
  type?: string | string[]
  anyOf?: FieldSchema[]
}

/** Some fields of an input, as JSON Schema. They are the same as in the OpenAPI document, without `null`. */
export function jsonSchemaOf(input: z.ZodObject, fields: readonly string[]) {
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
  })
  const withoutNulls = Object.entries(properties).map(
    ([name, schema]) => [name, withoutNull(schema as FieldSchema)] as const,
  )
  return { type: 'object' as const, properties: Object.fromEntries(withoutNulls), required }
}

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
