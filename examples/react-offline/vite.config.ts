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
    // The strictest policy a shop would be served under. Only the build keeps to it: hot updates need inline scripts.
    preview: { proxy, headers: { 'Content-Security-Policy': "default-src 'self'" } },
    build: {
      assetsInlineLimit: 0,
      // All there is in `public` is the mock's service worker script, which has no place in a build without it.
      copyPublicDir: env.VITE_MOCK !== 'off',
      // The mock is meant for development, where a large chunk costs nothing.
      chunkSizeWarningLimit: 1000,
    },
  }
})
