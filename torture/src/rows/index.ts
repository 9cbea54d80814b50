import type { Row } from '../row.js'
import { c1 } from './c1.js'
import { c2 } from './c2.js'
import { disk } from './disk.js'
import { f1 } from './f1.js'
import { f2 } from './f2.js'
import { f3 } from './f3.js'
import { f5 } from './f5.js'
import { f8 } from './f8.js'
import { f11 } from './f11.js'
import { f13 } from './f13.js'
import { f14 } from './f14.js'
import { h1 } from './h1.js'
import { h2 } from './h2.js'
import { h3 } from './h3.js'
import { ha } from './ha.js'
import { l1 } from './l1.js'
import { l3 } from './l3.js'
import { l4 } from './l4.js'
import { n1 } from './n1.js'
import { w1 } from './w1.js'

/** Every row, in the order of docs/reliability.md. */
export const ROWS: readonly Row[] = [
  l1,
  l3,
  l4,
  f1,
  f2,
  f3,
  f5,
  f8,
  f11,
  f13,
  f14,
  disk,
  ha,
  w1,
  n1,
  c1,
  c2,
  h1,
  h2,
  h3,
]
