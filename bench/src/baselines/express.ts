#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import pg from 'pg'
import { listen } from './listen.js'

/**
 * A minimal service with Express and pg, which converts rows to JSON and validates nothing. Its argument is the
 * connection as JSON; it prints its address.
 */

const pool = new pg.Pool({ ...JSON.parse(process.argv[2] ?? '{}'), max: 16 })
const app = express()
// Disables features that cost time and do not affect the answer.
app.disable('x-powered-by')
app.set('etag', false)

const PAGE = `
  SELECT event_id, space_id, speaker_id, speaker_name, speaker_type, text, "timestamp", parent_event_id, "references",
    thread_id, metadata, posted_by, posted_by_name, posted_by_type
  FROM bare.events
  WHERE space_id = $1 AND position > coalesce((SELECT position FROM bare.events WHERE event_id = $2), 0)
  ORDER BY position LIMIT $3`

app.get('/spaces/:space/events', async (request, response) => {
  const values = [request.params.space, request.query.since ?? null, Number(request.query.limit)]
  const { rows } = await pool.query({ name: 'page', text: PAGE, values })
  response.json(rows)
})

const ACTOR = `
  SELECT a.actor_id, a.tenant_id, t.status FROM api_keys k
  JOIN actors a ON a.actor_id = k.actor_id
  JOIN tenants t ON t.tenant_id = a.tenant_id
  WHERE k.key_hash = $1`

const DECISION = `
  SELECT decision_id, space_id, proposed_by, text, status, resolved_by, resolved_at, resolution, created_at, posted_by,
    settled_by
  FROM decisions WHERE tenant_id = $1 AND space_id = $2 AND decision_id = $3`

app.get('/spaces/:space/decisions/:decision', async (request, response) => {
  const key = createHash('sha256').update(String(request.headers.authorization).slice('Bearer '.length)).digest()
  const actors = await pool.query({ name: 'actor', text: ACTOR, values: [key] })
  const { space, decision } = request.params
  const values = [actors.rows[0].tenant_id, space, decision]
  const { rows } = await pool.query({ name: 'decision', text: DECISION, values })
  response.json(rows[0])
})

process.stdout.write(`${await listen(createServer(app))}\n`)
