import type { OpenAPIObject } from 'trpc-to-openapi'
import type { FieldSchema } from './json-schema.js'

/**
 * Returns the OpenAPI 3.1 document as OpenAPI 3.0, for tools that read nothing newer. It converts the keywords that ours has;
 * a test validates the result. 3.0 has no webhooks.
 */
export function inOpenApi30({ webhooks: _, ...document }: OpenAPIObject): OpenAPIObject {
  const { license, ...info } = document.info
  const converted = convert(document) as OpenAPIObject
  return { ...converted, openapi: '3.0.3', info: { ...info, ...(license && { license: { name: license.name } }) } }
}

/** Converts a part of the document outside of schemas. */
function convert(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convert)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, (CONVERSIONS[key] ?? convert)(value as never)]),
  )
}

/** By the key of what is not converted as the rest. */
const CONVERSIONS: Readonly<Record<string, (value: never) => unknown>> = {
  schema: convertSchema,
  schemas: convertSchemas,
  example: (value) => value,
  // In 3.0, schemes other than OAuth and OpenID Connect have no roles.
  security: (requirements: object[]) =>
    requirements.map((schemes) => Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))),
}

function convertSchemas(schemas: Readonly<Record<string, FieldSchema>>): Record<string, FieldSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convertSchema(schema)]))
}

function convertSchema({ $ref, anyOf, oneOf, ...schema }: FieldSchema): FieldSchema {
  // Beside a reference, 3.0 ignores everything.
  if ($ref !== undefined) return Object.keys(schema).length === 0 ? { $ref } : { allOf: [{ $ref }], ...schema }
  if (oneOf) return { ...schema, oneOf: oneOf.map(convertSchema) }
  if (!anyOf) return convertType(schema)
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null')
  // `nullable` needs a type beside it, which a reference has elsewhere.
  if (only === undefined || others.length > 0 || '$ref' in only) return { ...schema, anyOf: anyOf.map(convertSchema) }
  const converted = convertSchema({ ...only, ...schema })
  return anyOf.length > 1 ? orNull(converted) : converted
}

/** 3.0 has no `propertyNames`. */
function convertType(given: FieldSchema): FieldSchema {
  const { type, const: constant, examples, items, properties, propertyNames: _, ...schema } = given
  const { additionalProperties: others } = schema
  const types = [type ?? []].flat()
  const [named] = types.filter((name) => name !== 'null')
  const converted = {
    ...schema,
    ...(named !== undefined && { type: named }),
    ...(constant !== undefined && { enum: [constant] }),
    ...(examples && { example: examples[0] }),
    ...(items && { items: convertSchema(items) }),
    ...(properties && { properties: convertSchemas(properties) }),
    ...(typeof others === 'object' && { additionalProperties: convertSchema(others) }),
  }
  if (!types.includes('null')) return converted
  return orNull(named === undefined ? { ...converted, type: 'string', enum: [] } : converted)
}

const orNull = (schema: FieldSchema): FieldSchema => ({
  ...schema,
  ...(schema.enum && { enum: [...new Set([...schema.enum, null])] }),
  nullable: true,
})
