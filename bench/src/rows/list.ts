import { NO_LIMITS, pagesStatement, viewerOf } from '@collab-spaces/db/statements'
import { startBaseline } from '../baselines/program.js'
import type { Row } from '../row.js'
import type { Stage } from '../service/stage.js'
import { pgbench } from '../tools/pgbench.js'
import { wrk } from '../tools/wrk.js'
import { cursorsIn, LIMIT, pageRequests, requireFullPages } from '../workload/pages.js'

const CONNECTIONS = 16
const PAGES = 16

export const list: Row = {
  name: 'list',
  title: 'list of 50 events, 16 connections',
  about:
    'GET /api/spaces/{id}/events after a random cursor, against the statement of the page alone (pgbench) and a bare ' +
    'Express with pg that makes JSON of the rows of a table of its own, without a key or any check.',
  tools: ['wrk', 'pgbench'],
  claims: [
    {
      measured: 'list of 50 events, 16 connections',
      side: 'service',
      figure: 'perSecond',
      against: 'pgbench',
      bound: 'at least',
      must: 0.5,
      aim: 0.65,
    },
    {
      measured: 'the same',
      side: 'service',
      figure: 'perSecond',
      against: 'Express + pg',
      bound: 'at least',
      must: 1.5,
      aim: 2.5,
    },
  ],
  async service({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { url, directory } = service
    const requests = pageRequests(human, await cursorsIn(service, human, spaces, PAGES))
    await requireFullPages(url, requests)
    return { measures: { service: () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory }) } }
  },
  async baselines({ sizes: { seconds }, stage }) {
    const { service, human, spaces } = await stage()
    const { connection, directory } = service
    const cursors = await cursorsIn(service, human, spaces, PAGES)
    const viewer = viewerOf({ tenantId: human.tenantId, actorId: human.actorId, isGuest: false, limits: NO_LIMITS })
    const statements = cursors.map(({ space_id, event_id }) =>
      pagesStatement([{ viewer, spaceId: space_id, cursor: { kind: 'after', eventId: event_id }, limit: LIMIT }]),
    )
    const express = await startExpress(await stage())
    const requests = cursors.map(({ space_id, event_id }) => ({
      path: `/spaces/${space_id}/events?since=${event_id}&limit=${LIMIT}`,
    }))
    await requireFullPages(express.url, requests)
    return {
      measures: {
        pgbench: () => pgbench({ connection, statements, clients: CONNECTIONS, seconds, directory }),
        'Express + pg': () => wrk({ url: express.url, requests, connections: CONNECTIONS, seconds, directory }),
      },
      close: express.stop,
    }
  },
}

async function startExpress({ service }: Stage) {
  await service.query(BARE_TABLE)
  await service.query('VACUUM (ANALYZE) bare.events')
  return startBaseline('express', [JSON.stringify(service.connection)])
}

/** A conventional table with the same events. */
const BARE_TABLE = `
  CREATE SCHEMA bare;
  CREATE TABLE bare.events (
    event_id uuid PRIMARY KEY,
    space_id text NOT NULL,
    position bigint NOT NULL,
    speaker_id text NOT NULL,
    speaker_name text NOT NULL,
    speaker_type text NOT NULL,
    text text NOT NULL,
    "timestamp" timestamptz NOT NULL,
    parent_event_id uuid,
    "references" text[] NOT NULL,
    thread_id uuid,
    metadata jsonb,
    posted_by text NOT NULL,
    posted_by_name text NOT NULL,
    posted_by_type text NOT NULL
  );
  INSERT INTO bare.events
  SELECT e.event_id, e.space_id, e.position, w.speaker_id, w.speaker_name, w.speaker_type, w.text, w."timestamp",
    w.parent_event_id, ARRAY(SELECT json_array_elements_text(w."references")), w.thread_id, w.metadata, w.posted_by,
    w.posted_by_name, w.posted_by_type
  FROM events e, json_to_record(e.wire::json) AS w(speaker_id text, speaker_name text, speaker_type text, text text,
    "timestamp" timestamptz, parent_event_id uuid, "references" json, thread_id uuid, metadata jsonb, posted_by text, posted_by_name text,
    posted_by_type text);
  CREATE UNIQUE INDEX ON bare.events (space_id, position)`
