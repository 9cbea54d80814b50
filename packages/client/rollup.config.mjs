import { dts } from 'rollup-plugin-dts'

/** The types in one file that needs no other package of ours: programs elsewhere have only what is published. */
export default {
  input: 'dist/types/index.d.ts',
  output: { file: 'dist/index.d.ts' },
  external: [/^@trpc\//],
  plugins: [dts({ tsconfig: 'tsconfig.json', includeExternal: ['@collab-spaces/api', '@collab-spaces/domain'] })],
}
