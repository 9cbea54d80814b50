export { type Actor, eventually, useProgram as useServer } from '@collab-spaces/testing'
export { configIn, environment, freshHome, homeOfFile, keptIn, MAIN, type Surroundings, signedInAs } from './machine.js'
export { Pipe, type PipeOptions, Run, spaces, startSpaces } from './run.js'
export { Terminal, type TerminalOptions, terminal, terminalWith } from './terminal.js'
