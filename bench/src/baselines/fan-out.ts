#!/usr/bin/env node
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { listen } from './listen.js'

/**
 * The minimum for Node to send every event to every reader: the events of one turn of the event loop become one buffer,
 * framed once, which is written to each socket. It neither checks nor stores anything. Prints its address.
 */

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
const BEFORE = Buffer.from('event: context_event\ndata: ')
const AFTER = Buffer.from('\nid: 00000000-0000-7000-8000-000000000000\n\n')

const readers = new Set<Socket>()
let gathered: Buffer[] = []

function admit(socket: Socket): void {
  readers.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => readers.delete(socket))
  socket.write(HEAD)
}

function publish(event: readonly Buffer[]): void {
  if (gathered.length === 0) setImmediate(flush)
  gathered.push(BEFORE, ...event, AFTER)
}

function flush(): void {
  const frames = Buffer.concat(gathered)
  gathered = []
  for (const socket of readers) socket.write(frames)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return admit(request.socket)
  const event: Buffer[] = []
  request.on('data', (chunk) => event.push(chunk))
  request.on('end', () => {
    publish(event)
    response.end()
  })
})
process.stdout.write(`${await listen(server)}\n`)
