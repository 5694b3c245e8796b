import react from '@vitejs/plugin-react'
import { petstoreMock } from 'petstore-mock/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), petstoreMock({ baseUrl: '/api', keepState: true })],
})
