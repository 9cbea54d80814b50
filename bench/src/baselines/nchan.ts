import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, freePorts } from '@collab-spaces/testing/programs'
import { cleanup } from '../cleanup.js'
import { pathOf } from '../tools/install.js'
import type { Baseline } from './program.js'

/**
 * Starts nginx with nchan, a relay in C, in one process: what is sent to `/publish` comes out of `/stream`. It keeps the
 * newest messages in memory, and stores nothing.
 */
export async function startNchan(directory: string): Promise<Baseline> {
  const place = await mkdtemp(join(directory, 'nchan-'))
  const port = await freePorts(1)
  await writeFile(join(place, 'nginx.conf'), configuration(await pathOf('nchan'), place, port))
  const child = spawn(await pathOf('nginx'), ['-p', place, '-c', join(place, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = cleanup.add(async () => {
    // Asked to end, nchan frees some memory twice, and says so.
    child.kill('SIGKILL')
    await exited
    await rm(place, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await eventually(async () => child.exitCode !== null || (await answers()))
  if (child.exitCode !== null) throw new Error('nginx ended before it was ready')
  return { url, pid: child.pid as number, stop }
}

const configuration = (module: string, place: string, port: number) => `
  load_module ${module};
  daemon off;
  master_process off;
  pid ${place}/nginx.pid;
  events { worker_connections 16384; }
  http {
    access_log off;
    client_body_temp_path ${place}/body;
    server {
      listen 127.0.0.1:${port} backlog=8192;
      location = / { return 204; }
      location = /publish { nchan_publisher; nchan_channel_id bench; }
      location = /stream { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
    }
  }`
