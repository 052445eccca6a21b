/**
 * Words of equal meaning, in general English: each row in both directions, worth nearly as much as
 * the word itself. Includes numbers in words.
 */
export const EQUALS = `
mother mom mum mama mommy
father dad daddy papa
grandmother grandma granny
grandfather grandpa granddad
child kid
baby newborn infant
parent folks
film movie
bicycle bike
motorcycle motorbike
photo photograph picture pic
apartment flat
home house
doctor physician doc dr
buy purchase
begin start
finish complete end
sick ill
present gift
afraid scared frightened terrified
fear afraid scared
big large huge
little small tiny
glad happy
holiday vacation
autumn fall
color colour
favorite favourite
sofa couch
shop store
truck lorry
pupil student
marry wedding wed
pregnant expecting
choose pick
fix repair mend
resign quit
injury injure hurt
job profession occupation
talk speak
road street
trip journey
television tv
phone telephone
film movie
mad angry
test exam
sketch drawing draw
painting paint
cemetery graveyard
wage salary
colleague coworker
roommate flatmate
seaside beach
sea ocean
forest woods
boat ship
restaurant diner
plane airplane aeroplane
gym fitness
soccer football
childhood youth
license licence
neighbor neighbour
theater theatre
center centre
organize organise
practice practise
jewelry jewellery
program programme
mold mould
gray grey
pajamas pyjamas
traveling travelling travel
canceled cancelled cancel
university college uni
mathematics math maths
biology bio
photography photo
laboratory lab
refrigerator fridge
advertisement ad
veterinarian vet
veterinary vet
examination exam
hospital clinic
one 1 first 1st
two 2 second 2nd
three 3 third 3rd
four 4 fourth 4th
five 5 fifth 5th
six 6 sixth 6th
seven 7 seventh 7th
eight 8 eighth 8th
nine 9 ninth 9th
ten 10 tenth 10th
eleven 11
twelve 12
thirteen 13
fourteen 14
fifteen 15
sixteen 16
seventeen 17
eighteen 18
nineteen 19
twenty 20
thirty 30
forty 40
fifty 50
sixty 60
seventy 70
eighty 80
ninety 90
hundred 100
thousand 1000
`;
