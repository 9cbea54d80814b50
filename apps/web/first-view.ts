import type { Plugin } from 'vite'

/**
 * Makes the index page load the app while its texts are still loading: the entry imports a module only after them, and
 * this plugin writes the links to its files.
 */
export function firstView(module: string): Plugin {
  return {
    name: 'first-view',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
        if (!app) throw new Error(`${module} has no chunk of its own`)
        const files = [app.fileName, ...app.imports].filter((file) => !html.includes(file))
        const styles = chunks
          .filter(({ fileName }) => files.includes(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        return [
          ...files.map((file) => link('modulepreload', file)),
          ...[...new Set(styles)].map((file) => link('stylesheet', file)),
        ]
      },
    },
  }
}

const link = (rel: string, file: string) => ({
  tag: 'link',
  attrs: { rel, crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
})
