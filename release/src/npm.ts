import { join } from 'node:path'
import { inCheckout, manifestOf, run } from './checkout.js'
import { pinned } from './postgresql.js'
import { INCLUDED, layOut, writeManifest } from './tree.js'

/**
 * Packs the server for npm, into a directory. The package has the content of a tarball, except that the embedded PostgreSQL of
 * each platform is an optional dependency.
 */
export async function packForNpm(directory: string, work: string): Promise<void> {
  const tree = join(work, 'npm')
  await layOut(tree, null)
  const { name, version, description, license, engines } = manifestOf(inCheckout())
  const { repository, bugs, publishConfig } = manifestOf(inCheckout('apps/cli'))
  const { optionalDependencies = {} } = manifestOf(inCheckout('packages/postgres-embedded'))
  const versionOf = (included: string) => manifestOf(join(tree, 'node_modules', included)).version
  writeManifest(tree, {
    ...{ name, version, description, license, repository, bugs, engines, publishConfig },
    type: 'module',
    bin: { [name]: `bin/${name}` },
    dependencies: Object.fromEntries(INCLUDED.map((included) => [included, versionOf(included)])),
    bundleDependencies: INCLUDED,
    optionalDependencies: Object.fromEntries(
      Object.keys(optionalDependencies).map((optional) => [optional, pinned(optional).version]),
    ),
  })
  run('npm', 'pack', tree, '--ignore-scripts', '--loglevel=error', '--pack-destination', directory)
}
