import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { type Operation, operations } from './procedure/operation.js'

const ErrorBody = z
  .looseObject({ detail: z.string().meta({ description: 'What is wrong, in one sentence' }) })
  .meta({ id: 'Error', description: 'Some errors add fields of their own' })

const ERRORS = {
  400: 'A field is missing or wrong, or the body cannot be parsed',
  401: 'Authentication required',
  403: 'Not allowed, or the tenant is suspended',
  404: 'Unknown',
  409: 'In conflict with the present state',
  429: 'Too many for a while',
} as const

const pathParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** The input's fields, told apart by where a REST client puts them. */
function fieldsOf({ meta, input }: Operation) {
  const inPath = new Set(pathParameters(meta.openapi.path))
  const headerOf = new Map(Object.entries(meta.headers ?? {}).map(([header, field]) => [field, header]))
  const path: Record<string, z.ZodType> = {}
  const header: Record<string, z.ZodType> = {}
  const rest: Record<string, z.ZodType> = {}
  for (const [name, shape] of Object.entries(input.shape as Record<string, z.ZodType>)) {
    const headerName = headerOf.get(name)
    if (inPath.has(name)) path[name] = shape
    else if (headerName) header[headerName] = shape
    else rest[name] = shape
  }
  return { path, header, rest }
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { meta, name, output } = operation
  const { path, header, rest } = fieldsOf(operation)
  const { method, summary, description, tags, protect = true, errorResponses = [] } = meta.openapi
  const inQuery = method === 'GET' || method === 'DELETE'
  const hasBody = !inQuery && Object.keys(rest).length > 0
  const refusals = [400, 401, 403, ...errorResponses] as const
  return {
    operationId: name.replace('.', '_'),
    summary,
    ...(description && { description }),
    tags,
    security: [...(protect ? [] : [{}]), { bearer: [] }, { token: [] }],
    requestParams: {
      ...(Object.keys(path).length > 0 && { path: z.object(path) }),
      ...(Object.keys(header).length > 0 && { header: z.object(header) }),
      ...(inQuery && Object.keys(rest).length > 0 && { query: z.object(rest) }),
    },
    ...(hasBody && {
      requestBody: {
        required: !z.object(rest).safeParse({}).success,
        content: { 'application/json': { schema: z.object(rest) } },
      },
    }),
    responses: {
      200: {
        description: 'Success',
        content: output
          ? { 'application/json': { schema: output } }
          : { 'text/event-stream': { schema: z.string().meta({ description: 'Events named context_event' }) } },
      },
      ...Object.fromEntries(
        refusals.map((status) => [
          String(status),
          { description: ERRORS[status], content: { 'application/json': { schema: ErrorBody } } },
        ]),
      ),
    },
  }
}

/** The OpenAPI 3.1 document of every operation, generated from the shapes that check the requests. */
export function openApiDocument(publicUrl: string): object {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations) {
    const { method, path } = operation.meta.openapi
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Collaboration Spaces',
      version: '0.1.0',
      description: 'Where teams of humans and AI agents work together. Errors are `{"detail": "…"}`.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(({ meta }) => meta.openapi.tags[0])), 'Extensions'].map((name) => ({ name })),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: svc_…' },
        token: { type: 'apiKey', in: 'query', name: 'token', description: 'For clients that cannot set headers' },
      },
    },
    paths,
  }
  return createDocument(document)
}
