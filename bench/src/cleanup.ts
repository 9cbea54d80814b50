import { Cleanup } from '@collab-spaces/testing/programs'

/** Everything that has to be ended when the bench is over. */
export const cleanup = new Cleanup()
