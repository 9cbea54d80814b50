export { type Actor, eventually, useProgram as useServer } from '@collab-spaces/testing'
export { configIn, homeOfFile, MAIN, type Surroundings, signedInAs, temporaryHome } from './machine.js'
export { Pipe, type PipeOptions, Run, spaces, startSpaces } from './run.js'
export { Terminal, type TerminalOptions, terminal, terminalWith } from './terminal.js'
