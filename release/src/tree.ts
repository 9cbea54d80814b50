import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { folderOf, inCheckout, manifestOf } from './checkout.js'
import { type Notice, notices, written } from './notices.js'
import { copyPostgresql, type Package } from './postgresql.js'

/** Files with the same path as in a checkout. */
const COPIED = [
  '.env.example',
  'CHANGELOG.md',
  'LICENSE',
  'apps/cli/LICENSE',
  'apps/cli/README.md',
  'apps/cli/bin',
  'apps/cli/dist',
  'docs/operations.md',
  'examples/deployment/README.md',
  'examples/deployment/collaboration-spaces-backup.service',
  'examples/deployment/collaboration-spaces-backup.timer',
  'examples/deployment/collaboration-spaces.env',
  'examples/deployment/collaboration-spaces.service',
  'examples/deployment/proxies',
  'examples/monitoring/README.md',
  'examples/monitoring/alerts.yml',
  'examples/monitoring/dashboard.json',
  'examples/monitoring/prometheus.yml',
  'prisma/migrations',
]

/** The command, which is a package of its own for npm. */
const COMMAND = 'apps/cli'

/** Our packages whose version is read at run time. The command reads its own. */
const ASKED_FOR_VERSION = ['apps/cli', 'apps/server', 'packages/api']

/** The entry of a server thread, which imports other packages: here it is one file. */
const WORKER = 'packages/api/dist/summaries/worker.js'

/** The files of the API explorer. */
const SWAGGER_UI = ['LICENSE', 'NOTICE', 'absolute-path.js', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt']

/** Files of the migration engine that the server reads; the rest is bundled. */
const SCHEMA_ENGINE = ['schema_engine_bg.js', 'schema_engine_bg.wasm']

/** Third-party packages in it, and ours whose files the server serves. */
export const INCLUDED = ['@collab-spaces/web', '@prisma/schema-engine-wasm', 'swagger-ui-dist']

/**
 * Lays out the content of a release in an empty directory: a built checkout without its build tools, so that programs find
 * migrations, page and PostgreSQL at the usual paths. `postgresql` is the package of the embedded PostgreSQL; null leaves it
 * out. Returns the notices of third-party parts.
 */
export async function layOut(to: string, postgresql: Package | null): Promise<Notice[]> {
  // Links stay relative: resolved, they would lead back into the checkout.
  const copy = (path: string, at = path) =>
    cpSync(inCheckout(path), join(to, at), { recursive: true, verbatimSymlinks: true })
  for (const path of COPIED) if (postgresql || !path.startsWith(COMMAND)) copy(path)
  copy(postgresql ? 'release/files/tarball' : 'release/files/npm', '.')
  for (const file of filesOfServer()) copy(`apps/server/dist/${file}`)
  for (const path of ASKED_FOR_VERSION) keepVersion(path, join(to, path))
  await bundle(inCheckout(WORKER), join(to, WORKER))

  const page = 'node_modules/@collab-spaces/web'
  for (const path of ['dist', 'public/favicon.svg']) copy(`apps/web/${path}`, `${page}/${path}`)
  keepVersion('apps/web', join(to, page))

  const swaggerUi = folderOf('swagger-ui-dist', 'apps/server')
  copyFiles(swaggerUi, [...SWAGGER_UI, 'swagger-ui.css'], join(to, 'node_modules/swagger-ui-dist'))
  const schemaEngine = folderOf('@prisma/schema-engine-wasm/schema_engine_bg', 'packages/operator')
  copyFiles(schemaEngine, SCHEMA_ENGINE, join(to, 'node_modules/@prisma/schema-engine-wasm'))
  if (postgresql) copyPostgresql(postgresql.folder, join(to, 'node_modules', postgresql.name))

  const found = notices([swaggerUi, schemaEngine], postgresql)
  writeFileSync(join(to, 'THIRD-PARTY.txt'), written(found))
  return found
}

/**
 * Returns the files of the last build. The folder also holds those of the previous one, for servers that still run it.
 */
function filesOfServer(): string[] {
  return JSON.parse(readFileSync(inCheckout('apps/server/dist/files.json'), 'utf8'))
}

/** Copies files of a package, besides its package.json. The files need none of its dependencies and scripts. */
function copyFiles(folder: string, files: readonly string[], to: string): void {
  for (const file of files) cpSync(join(folder, file), join(to, file))
  const { dependencies, devDependencies, scripts, ...manifest } = manifestOf(folder)
  writeManifest(to, manifest)
}

function keepVersion(path: string, to: string): void {
  const { name, version } = manifestOf(inCheckout(path))
  writeManifest(to, { name, version, type: 'module' })
}

export function writeManifest(to: string, manifest: object): void {
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function bundle(input: string, file: string): Promise<void> {
  const built = await rolldown({ input, platform: 'node' })
  await built.write({ file })
  await built.close()
}
