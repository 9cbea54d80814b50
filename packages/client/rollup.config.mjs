import { dts } from 'rollup-plugin-dts'

/** The types in one file that needs no other package of ours: programs elsewhere have only what is published. */
export default {
  input: 'dist/types/index.d.ts',
  // tRPC's types name `Disposable`, which programs for browsers of their time have not: they would not compile.
  output: { file: 'dist/index.d.ts', banner: '/// <reference lib="esnext.disposable" />' },
  external: [/^@trpc\//],
  plugins: [dts({ tsconfig: 'tsconfig.json', includeExternal: ['@collab-spaces/api', '@collab-spaces/domain'] })],
}
