import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs that our Dockerfile runs, and those that the server needs. */
const PROGRAMS = ['sh', 'env', 'tar', 'gzip', 'mkdir', 'install', 'useradd', 'rm', 'cat', 'node']
/** Libraries that are loaded by name, or required by programs for an older glibc. */
const LIBRARIES = /^lib(rt|dl|m|pthread|nss_files)\.so\./

const ACCOUNTS = { passwd: 'root:x:0:0:root:/root:/bin/sh\n', group: 'root:x:0:\n', shadow: '', gshadow: '' }

/** Options that make buildah store everything in a directory. */
export const storageIn = (work: string) => [
  ...['--root', join(work, 'images'), '--runroot', join(work, 'running'), '--storage-driver', 'vfs'],
]

/**
 * Builds an image of this machine's own programs, as an OCI archive. It needs no image registry, and is as good a base
 * for a release as any.
 */
export async function makeBase(file: string, work: string): Promise<void> {
  const root = join(work, 'root')
  for (const directory of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(root, 'usr', directory), { recursive: true })
    await symlink(`usr/${directory}`, join(root, directory))
  }
  for (const directory of ['etc', 'tmp', 'home', 'var/log']) await mkdir(join(root, directory), { recursive: true })
  for (const [name, text] of Object.entries(ACCOUNTS)) await writeFile(join(root, 'etc', name), text)
  const files = new Set(await Promise.all(PROGRAMS.map(pathOf)))
  for (const path of [...files]) for (const library of await librariesOf(path)) files.add(library)
  const [libc = ''] = [...files].filter((path) => path.endsWith('/libc.so.6'))
  const beside = (await readdir(dirname(libc))).filter((name) => LIBRARIES.test(name))
  for (const name of beside) files.add(join(dirname(libc), name))
  for (const path of files) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await copyFile(await realpath(path), join(root, path))
  }
  const buildah = async (...words: string[]) => (await run('buildah', [...storageIn(work), ...words])).stdout.trim()
  const container = await buildah('from', 'scratch')
  await buildah('add', '--quiet', container, root, '/')
  await buildah('commit', '--quiet', '--rm', container, `oci-archive:${file}`)
}

async function pathOf(program: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${program}`])).stdout.trim()
}

async function librariesOf(file: string): Promise<string[]> {
  const { stdout } = await run('ldd', [file])
  return stdout.match(/\/\S+/g) ?? []
}
