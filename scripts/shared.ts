import { fileURLToPath } from 'node:url'
import { type BuildResult, build, type Plugin } from 'esbuild'
import { inNode } from './bundle.js'

const root = fileURLToPath(new URL('../', import.meta.url))

interface SharedFile {
  /** The imports that the file replaces. */
  readonly filter: RegExp
  readonly contents: string
}

const USED_OF_X509 = [
  'BasicConstraintsExtension',
  'cryptoProvider',
  'ExtendedKeyUsage',
  'ExtendedKeyUsageExtension',
  'KeyUsageFlags',
  'KeyUsagesExtension',
  'SubjectAlternativeNameExtension',
  'X509CertificateGenerator',
]

/**
 * Large packages that are loaded late, by the name of the file in dist/shared that contains them. The ES modules, the
 * command and the CommonJS build have the file in common. It is CommonJS, because Jest cannot load ES modules.
 */
const SHARED_FILES: Readonly<Record<string, SharedFile>> = {
  mcp: {
    filter: /^@modelcontextprotocol\/sdk\//,
    contents: [
      "export { Server } from '@modelcontextprotocol/sdk/server/index.js'",
      "export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'",
      "export { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'",
      "export * from '@modelcontextprotocol/sdk/types.js'",
    ].join('\n'),
  },
  x509: {
    filter: /^@peculiar\/x509$/,
    // Node finds the names in a CommonJS file only if they are listed.
    contents: `export { ${USED_OF_X509.join(', ')} } from '@peculiar/x509'`,
  },
}

/** Replaces the imports of shared packages. `folder` is the way to dist/shared from the chunks of the build. */
export function importShared(folder: string): Plugin {
  return {
    name: 'import-shared',
    setup({ onResolve }) {
      for (const [name, { filter }] of Object.entries(SHARED_FILES)) {
        onResolve({ filter }, () => ({ path: `${folder}/${name}.cjs`, external: true }))
      }
    },
  }
}

const loadContents: Plugin = {
  name: 'load-contents',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => (kind === 'entry-point' ? { path, namespace: 'shared' } : undefined))
    onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
      contents: SHARED_FILES[path]?.contents ?? '',
      resolveDir: root,
    }))
  },
}

/** Builds dist/shared. */
export function buildShared(): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...inNode,
    entryPoints: Object.keys(SHARED_FILES),
    plugins: [loadContents, ...inNode.plugins],
    outdir: 'dist/shared',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    splitting: false,
    minify: true,
  })
}
