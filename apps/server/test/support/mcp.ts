import { bearer } from '@collab-spaces/testing'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach } from 'vitest'

/** The answer of a tool, without its delimiters. */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly content: any
  /** The answer with its delimiters. */
  readonly raw: { readonly text: string; readonly content: unknown }
}

/** A text between the delimiters of an answer. */
export const DELIMITED = /^<(data-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>$/

/** Returns a value of an answer without its delimiters. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function bare(value: unknown, field?: string): any {
  if (typeof value === 'string') {
    const text = DELIMITED.exec(value)?.[2] ?? value
    return field === 'metadata' ? JSON.parse(text) : text
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => bare(item))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bare(item, name)]))
}

/** The part of a client that tests need, the same for all of them. */
export interface McpClient {
  readonly version: string | undefined
  tools(): Promise<{ name: string }[]>
  call(name: string, input?: object, onProgress?: (message: string) => void): Promise<ToolResult>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  read(uri: string): Promise<any>
  close(): Promise<void>
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** `using` stands for `fetch`. */
type Connect = (url: string, key: string, using?: Fetch) => Promise<McpClient>

const INFO = { name: 'test', version: '1.0.0' }

function resultOf({ isError, content, structuredContent }: Record<string, unknown>): ToolResult {
  const raw = { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), content: structuredContent }
  return { isError: isError === true, text: bare(raw.text), content: bare(raw.content), raw }
}

const modern =
  (mode: 'auto' | { pin: string }): Connect =>
  async (url, key, using = fetch) => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode } })
    await client.connect(
      new ModernTransport(new URL('/mcp', url), { requestInit: { headers: bearer(key) }, fetch: using }),
    )
    return {
      version: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools,
      call: async (name, input = {}, onProgress) =>
        resultOf(
          await client.callTool(
            { name, arguments: { ...input } },
            onProgress && { onprogress: ({ message }) => onProgress(message ?? '') },
          ),
        ),
      read: async (uri) => (await client.readResource({ uri })).contents[0],
      close: () => client.close(),
    }
  }

const old: Connect = async (url, key, using = fetch) => {
  const client = new OldClient(INFO)
  const transport = new OldTransport(new URL('/mcp', url), { requestInit: { headers: bearer(key) }, fetch: using })
  // biome-ignore lint/suspicious/noExplicitAny: its own types do not fit each other where optional means optional
  await client.connect(transport as any)
  return {
    version: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}, onProgress) =>
      resultOf(
        await client.callTool(
          { name, arguments: { ...input } },
          undefined,
          onProgress && { onprogress: ({ message }) => onProgress(message ?? '') },
        ),
      ),
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    close: () => client.close(),
  }
}

/** Clients of both generations of the protocol, as they come from npm. */
export const CLIENTS: readonly (readonly [name: string, version: string, connect: Connect])[] = [
  ['client 2, pinned', '2026-07-28', modern({ pin: '2026-07-28' })],
  ['client 2, by itself', '2026-07-28', modern('auto')],
  ['sdk 1', '2025-11-25', old],
]

/** Connects clients that are closed after each test. */
export function useMcpClients(): (connect: Connect, ...to: Parameters<Connect>) => Promise<McpClient> {
  const open: McpClient[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()))
  })
  return async (connect, ...to) => {
    const client = await connect(...to)
    open.push(client)
    return client
  }
}
