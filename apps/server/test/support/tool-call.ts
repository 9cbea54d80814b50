/** Returns the call of a tool as the body of a request to `/mcp`. */
export const toolCall = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

/** Media types that every request to `/mcp` has to accept. */
export const ACCEPT = { accept: 'application/json, text/event-stream' }
