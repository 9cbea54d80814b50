import { buffer } from 'node:stream/consumers'
import { decoded } from './utf8.js'

/** Whether standard input is a pipe or a file. From a terminal nothing is read: people do not know how to end it. */
export const isPiped = () => !process.stdin.isTTY

/** All of standard input, to its end. */
export const pipedText = async () => decoded(await buffer(process.stdin), (line) => `Standard input, line ${line}`)
