import type { StorybookConfig } from '@storybook/react-vite'

export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.tsx'],
  // Where `petstore-mock init public` puts the service worker script.
  staticDirs: ['../public'],
  addons: ['msw-storybook-addon'],
  core: { disableTelemetry: true },
} satisfies StorybookConfig
