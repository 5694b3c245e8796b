import { petstoreMock } from 'petstore-mock/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [petstoreMock({ service: './shop.service.ts', baseUrl: '/api' })],
})
