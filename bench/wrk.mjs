import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pathOf } from './tools.mjs'

/** HTTP from as many connections as told, by a program that leaves the cores to what it measures. */

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url))

/**
 * @typedef {object} Request
 * @property {string} path
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body] Sent as JSON.
 */

/**
 * Each request is one of those given, whichever chance takes. All of them must succeed.
 * @param {object} load
 * @param {string} load.url
 * @param {readonly Request[]} load.requests
 * @param {number} load.connections
 * @param {number} load.seconds
 * @param {string} load.directory Where to keep files for the time being.
 */
export async function wrk({ url, requests, connections, seconds, directory }) {
  const program = await pathOf('wrk')
  const file = join(directory, `requests-${randomUUID()}`)
  await writeFile(file, requests.map((request) => spelled(url, request)).join('\x1e'))
  try {
    const amount = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`]
    const { stdout } = await promisify(execFile)(program, [...amount, '-s', SCRIPT, url, '--', file])
    const result = JSON.parse(/** @type {string} */ (stdout.trim().split('\n').at(-1)))
    if (result.refused > 0 || result.broken > 0) {
      throw new Error(`of ${result.requests} requests ${result.refused} were refused and ${result.broken} broken`)
    }
    return {
      perSecond: result.requests / (result.microseconds / 1_000_000),
      p50: result.p50 / 1_000,
      p99: result.p99 / 1_000,
    }
  } finally {
    await rm(file)
  }
}

/** @param {string} url @param {Request} request */
export function spelled(url, { path, method = 'GET', headers = {}, body }) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const fields = {
    Host: new URL(url).host,
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}

/** Sends each request once, and gives the answers. Throws at the first that is refused. @param {string} url @param {readonly Request[]} requests */
export async function answersTo(url, requests) {
  const answers = []
  for (const { path, method = 'GET', headers = {}, body } of requests) {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    answers.push(JSON.parse(text))
  }
  return answers
}
