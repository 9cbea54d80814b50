import { Cleanup } from '@collab-spaces/testing/programs'

/** What has to be ended when the bench is over. */
export const cleanup = new Cleanup()
