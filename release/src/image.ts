import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packContents } from './archive.js'
import { inCheckout, run } from './checkout.js'

/** Options for the image of a release. */
export interface ImageOptions {
  /** The directory that has the tarball. */
  readonly directory: string
  /** Where the builder may keep things, which its caller removes. */
  readonly work: string
  readonly version: string
  /** When everything in it was made, in seconds. */
  readonly seconds: number
  /** The image that it begins with instead of Node's own, as buildah names images: `oci-archive:FILE`, say. */
  readonly base?: string | undefined
}

/** Fails before anything is made, where there is no builder. */
export function requireBuilder(): void {
  const { error } = spawnSync('buildah', ['--version'])
  if (error) throw new Error('--image needs buildah, which is not installed: install it, or leave --image out')
}

/**
 * Puts the tarball into a container image: an OCI layout, in a tar file. It needs buildah, which needs no service, and
 * leaves nothing in the images of its user. The same tarball on the same base makes the same bytes.
 */
export async function makeImage(
  file: string,
  { directory, work, version, seconds, base }: ImageOptions,
): Promise<void> {
  const storage = ['--root', join(work, 'images'), '--runroot', join(work, 'running'), '--storage-driver', 'vfs']
  const buildah = (...words: readonly string[]) => run('buildah', ...storage, ...words)
  const layout = join(work, 'layout')
  // A build takes only images of a registry by their names.
  const from = base === undefined ? [] : ['--from', buildah('pull', '--quiet', base).trim()]
  buildah(
    ...['build', '--quiet', '--format', 'oci', '--isolation', 'chroot', '--tag', 'collaboration-spaces'],
    ...['--timestamp', `${seconds}`, '--build-arg', `SOURCE_DATE_EPOCH=${seconds}`],
    ...['--build-context', `release=${directory}`, ...from],
    inCheckout('examples/deployment/container'),
  )
  buildah('push', '--quiet', 'collaboration-spaces', `oci:${layout}:${version}`)
  await packContents(layout, file, seconds)
}
