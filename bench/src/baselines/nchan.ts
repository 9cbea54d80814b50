import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanup } from '../cleanup.js'
import { MissingTool, pathOf } from '../tools/install.js'
import { listen } from './listen.js'
import type { Baseline } from './program.js'

/** nginx with nchan, as Debian has it: messages go from a publisher to any number of streams and are kept nowhere. */

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so'

const configuration = (port: number, directory: string) => `
load_module ${MODULE};
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${directory}/pid;
error_log ${directory}/error.log;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${port};
    location = /publish {
      nchan_publisher;
      nchan_channel_id bench;
    }
    location = /stream {
      nchan_subscriber eventsource;
      nchan_channel_id bench;
      nchan_subscriber_first_message newest;
    }
  }
}`

export async function startNchan(): Promise<Baseline> {
  const program = await pathOf('nginx')
  await access(MODULE).catch(() => {
    throw new MissingTool(`needs ${MODULE}: apt-get install libnginx-mod-nchan`)
  })
  const directory = await mkdtemp(join(tmpdir(), 'spaces-nchan-'))
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  await writeFile(file, configuration(port, directory))
  const child = spawn(program, ['-c', file, '-p', directory], { stdio: ['ignore', 'inherit', 'inherit'] })
  const exited = once(child, 'exit')
  const stop = cleanup.add(async () => {
    child.kill()
    await exited
    await rm(directory, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('nginx ended before it was ready')
    await delay(20)
  }
  return { url, stop }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** nginx takes no port of its own choice. */
async function freePort(): Promise<number> {
  const server = createServer()
  const { port } = new URL(await listen(server))
  server.close()
  return Number(port)
}
