import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, sep } from 'node:path'
import type { Request, RequestHandler, Response } from 'express'
import { MethodNotAllowed } from './errors.js'
import { without } from './headers.js'
import { sendFile } from './write.js'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The suffixes of prebuilt encodings of a file, by content coding, the smallest first. */
const ENDINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' }

/** Only the page's own files, without inline scripts or styles. It sends requests to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The service worker for push messages. It loads nothing and controls no page. */
const WORKER = '/push/worker.js'
const WORKER_POLICY = "default-src 'none'"

/** Paths for programs: an unknown path below them is a 404, not the page. */
const PROGRAMS = /^\/(?:api|trpc|mcp|log|docs|assets|\.well-known)(?:\/|$)/

const INDEX = '/index.html'

/** The directory of the built page, as its package names it; null if it was not built. */
export function pageDirectory(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('@collab-spaces/web/package.json')
    const directory = join(dirname(manifest), 'dist')
    return existsSync(join(directory, INDEX)) ? directory : null
  } catch {
    return null
  }
}

/**
 * Serves the page. Its files are read at their first request and then kept. A client that accepts HTML gets it at any path
 * that is not a program's: the page routes by itself.
 */
export function page(directory: string): RequestHandler {
  const files = new Map(filesIn(directory).map((path) => [path, new PageFile(directory, path)]))
  return (request, response, next) => {
    const file = files.get(isForPeople(request) ? INDEX : request.target.path)
    if (!file) return next()
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed('GET, HEAD')
    file.send(request, response)
  }

  function isForPeople({ target: { path }, headers: { accept } }: Request): boolean {
    if (path === '/' || path === INDEX) return true
    return !files.has(path) && !PROGRAMS.test(path) && accept?.includes('text/html') === true
  }
}

/** Returns the paths of served files: those with a known type, without their compressed forms. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true })
    .map((file) => `/${String(file).replaceAll(sep, '/')}`)
    .filter((path) => extname(path) in TYPES)

class PageFile {
  readonly #contents = new Map<string, Buffer>()
  readonly #codings: readonly string[]
  #digest: string | null = null

  constructor(
    private readonly directory: string,
    private readonly path: string,
  ) {
    this.#codings = Object.keys(ENDINGS).filter((coding) => existsSync(this.#file(coding)))
  }

  send(request: Request, response: Response): void {
    const coding = this.#coding(request)
    const etag = `"${this.#hash()}-${coding}"`
    const headers = [
      ...['ETag', etag],
      ...['Vary', 'Accept, Accept-Encoding'],
      // The name of an asset changes with its content; all other files are revalidated each time.
      ...['Cache-Control', this.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'],
      ...['Content-Security-Policy', this.path === WORKER ? WORKER_POLICY : POLICY],
      ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
    ]
    response.commonHeaders = without(response.commonHeaders, headers)
    if (request.headers['if-none-match']?.includes(etag)) {
      response.begin(304, headers)
      response.end()
      return
    }
    sendFile(response, TYPES[extname(this.path)] as string, this.#content(coding), headers)
  }

  /** Returns the smallest encoding that the client accepts. The order in Accept-Encoding means no preference. */
  #coding(request: Request): string {
    return this.#codings.find((coding) => request.acceptsEncodings([coding]) !== false) ?? 'identity'
  }

  #file(coding: string): string {
    return join(this.directory, `${this.path}${ENDINGS[coding]}`)
  }

  #content(coding: string): Buffer {
    const known = this.#contents.get(coding)
    if (known) return known
    const content = readFileSync(this.#file(coding))
    this.#contents.set(coding, content)
    return content
  }

  #hash(): string {
    this.#digest ??= createHash('sha256').update(this.#content('identity')).digest('base64url').slice(0, 22)
    return this.#digest
  }
}
