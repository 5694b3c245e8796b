import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, '.', '')
  const base = `/${env.BASE_PATH ?? ''}/`.replace(/\/+/g, '/')
  const proxy = env.API_PROXY
    ? {
        [`${base}api`]: {
          target: env.API_PROXY,
          changeOrigin: true,
          rewrite: (path: string) => path.slice(`${base}api`.length),
        },
      }
    : {}

  return {
    base,
    plugins: [react()],
    server: { proxy },
    // The strictest policy a shop would use. Only the build complies with it: hot updates need inline scripts.
    preview: { proxy, headers: { 'Content-Security-Policy': "default-src 'self'" } },
    build: {
      assetsInlineLimit: 0,
      // `public` has only the mock's service worker script, which a build without the mock must not contain.
      copyPublicDir: env.VITE_MOCK !== 'off',
      // The mock is for development, where a large chunk does no harm.
      chunkSizeWarningLimit: 1000,
    },
  }
})
