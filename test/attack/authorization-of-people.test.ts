/** @module-tag alone */
import { startWorld } from '../support/world.ts';
import { ofPeople } from './authorization-of-people.ts';
import { askEveryCell } from './authorization-run.ts';

const world = await startWorld();
askEveryCell(world, ofPeople);
