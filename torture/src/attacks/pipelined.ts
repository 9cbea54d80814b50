import { unread } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

/** The largest public file. */
const BUNDLE = '/docs/swagger-ui-bundle.js'

export const pipelined: Attack = {
  name: 'pipelined requests without a credential',
  begin: ({ url }) => crowd(4, () => unread(url, { path: BUNDLE }, 1_200)),
}
