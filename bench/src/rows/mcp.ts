import type { Row } from '../row.js'
import type { Human } from '../service/service.js'
import { wrk } from '../tools/wrk.js'
import { fetchAll, type Request } from '../workload/request.js'
import { speechBody } from '../workload/speeches.js'

const CONNECTIONS = 16
const TEXT = 'To the sea, where the lighthouses stand. '.repeat(7)

export const mcp: Row = {
  name: 'mcp',
  title: 'saying something by a tool, 16 connections',
  about: 'The tool `say` over MCP, revision 2026-07-28, against POST /api/spaces/{id}/response.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'saying something by a tool, p50',
      side: 'tool',
      figure: 'p50',
      against: 'REST',
      bound: 'at most',
      must: 3,
      aim: 1.5,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const measureOf = async (requestTo: (human: Human, space: string) => Request) => {
      const requests = spaces.map((space) => requestTo(human, space))
      await fetchAll(url, requests.slice(0, 1))
      return () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory })
    }
    return { measures: { tool: await measureOf(toolCall), REST: await measureOf(restCall) } }
  },
}

const restCall = ({ key }: Human, space: string): Request => ({
  method: 'POST',
  path: `/api/spaces/${space}/response`,
  headers: { Authorization: `Bearer ${key}` },
  body: speechBody(TEXT),
})

const REVISION = '2026-07-28'
const TOOL = 'say'

const toolCall = ({ key }: Human, space_id: string): Request => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    Authorization: `Bearer ${key}`,
    Accept: 'application/json, text/event-stream',
    'Mcp-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': TOOL,
  },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: TOOL,
      arguments: { space_id, ...speechBody(TEXT) },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
})
