import './styles/base.css';
import './styles/controls.css';
import { mount } from 'svelte';
import { App } from './app/app.svelte.ts';
import Root from './shell/Root.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no place for the app');
const app = new App(window);
mount(Root, { target, props: { app } });
void app.start();
