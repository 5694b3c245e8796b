import { fileURLToPath } from 'node:url'
import { type BuildResult, build, type Plugin } from 'esbuild'
import { inNode } from './bundle.js'

const root = fileURLToPath(new URL('../', import.meta.url))

interface SharedFile {
  /** The imports that the file replaces. */
  readonly filter: RegExp
  /** What is used of each module. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

const SDK = '@modelcontextprotocol/sdk'

/**
 * Large packages that are loaded late, by the name of the file in dist/shared that contains them. The ES modules, the
 * command and the CommonJS build have the file in common. It is CommonJS, because Jest cannot load ES modules.
 */
const SHARED_FILES: Readonly<Record<string, SharedFile>> = {
  mcp: {
    filter: /^@modelcontextprotocol\/sdk\//,
    names: {
      [`${SDK}/server/index.js`]: ['Server'],
      [`${SDK}/server/stdio.js`]: ['StdioServerTransport'],
      [`${SDK}/server/webStandardStreamableHttp.js`]: ['WebStandardStreamableHTTPServerTransport'],
      [`${SDK}/types.js`]: [
        'CallToolRequestSchema',
        'CancelledNotificationSchema',
        'ErrorCode',
        'GetPromptRequestSchema',
        'isJSONRPCRequest',
        'ListPromptsRequestSchema',
        'ListResourcesRequestSchema',
        'ListToolsRequestSchema',
        'ReadResourceRequestSchema',
      ],
    },
  },
  x509: {
    filter: /^@peculiar\/x509$/,
    names: {
      '@peculiar/x509': [
        'BasicConstraintsExtension',
        'cryptoProvider',
        'ExtendedKeyUsage',
        'ExtendedKeyUsageExtension',
        'KeyUsageFlags',
        'KeyUsagesExtension',
        'SubjectAlternativeNameExtension',
        'X509CertificateGenerator',
      ],
    },
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

/**
 * The same for ES modules that nobody bundles. Node reads a CommonJS file that is imported twice, once for the names of its
 * exports, which takes longer than all else that starting needs of it.
 */
export const requireShared: Plugin = {
  name: 'require-shared',
  setup({ onResolve, onLoad }) {
    for (const [path, { filter }] of Object.entries(SHARED_FILES)) {
      onResolve({ filter }, () => ({ path, namespace: 'required' }))
    }
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: [
        "import { createRequire } from 'node:module'",
        `const required = createRequire(import.meta.url)('../shared/${path}.cjs')`,
        `export const { ${Object.values(SHARED_FILES[path]?.names ?? {})
          .flat()
          .join(', ')} } = required`,
      ].join('\n'),
    }))
  },
}

const loadContents: Plugin = {
  name: 'load-contents',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => (kind === 'entry-point' ? { path, namespace: 'shared' } : undefined))
    onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
      contents: Object.entries(SHARED_FILES[path]?.names ?? {})
        .map(([module, names]) => `export { ${names.join(', ')} } from '${module}'`)
        .join('\n'),
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
