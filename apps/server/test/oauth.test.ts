import { describe, expect, it } from 'vitest'
import { Browser, Program, REDIRECT } from './support/oauth.js'
import { useServer } from './support/server.js'
import { ACCEPT } from './support/tool-call.js'

const h = useServer()

describe('metadata', () => {
  it('tells programs where to ask, and whom for', async () => {
    const resource = await fetch(`${h.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await resource.json()).toEqual({
      resource: `${h.url}/mcp`,
      authorization_servers: [h.url],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Collaboration Spaces',
    })
    const server = await fetch(`${h.url}/.well-known/oauth-authorization-server`)
    expect(await server.json()).toEqual({
      issuer: h.url,
      authorization_endpoint: `${h.url}/oauth/authorize`,
      token_endpoint: `${h.url}/oauth/token`,
      registration_endpoint: `${h.url}/oauth/register`,
      revocation_endpoint: `${h.url}/oauth/revoke`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_modes_supported: ['query', 'fragment'],
      response_types_supported: ['code'],
      scopes_supported: ['read', 'write', 'settle', 'manage', 'account', 'offline_access'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    })
    const stranger = await fetch(`${h.url}/mcp`, { method: 'POST', headers: ACCEPT, body: '{}' })
    expect(stranger.status).toBe(401)
    expect(stranger.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${h.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    )
  })
})

describe('a grant', () => {
  it('is a limited credential, listed and revocable', async () => {
    const { ada, space_id } = await h.adasSpace()
    const program = new Program(h.url)
    const consent = { actor_id: ada.actor_id, scopes: ['read', 'write'], space_ids: [space_id] }
    const tokens = await program.connect(ada.api_key, consent)
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read write' })
  })
})
