/**
 * Words that people use interchangeably, in general English; each row in both directions. Not
 * exact: a row is a family, worth less than the word.
 */
export const SYNONYMS = `
mother mom mum mama mommy
father dad papa daddy
grandmother grandma granny nana
grandfather grandpa granddad
parent mother father folks
child kid son daughter
brother sister sibling
spouse husband wife partner married
boyfriend girlfriend date dating relationship couple romantic together
friend buddy pal mate
friend companion neighbour neighbor
wedding marry engaged engagement bride groom propose proposal fiance
divorce separate split breakup ex
pregnant pregnancy expecting baby due birth born deliver newborn
baby newborn infant toddler
job work employment position post career profession occupation role
job hire apply application interview
boss manager director supervisor
colleague coworker team staff employee
quit resign leave notice
fire layoff laid lose dismiss
retire retirement pension
company firm business office employer startup
business shop store company open
wage salary pay earn income
money fund funding grant sponsor donation raise savings
buy purchase get order
sell sold sale customer
cost price pay expensive
rent lease landlord tenant sign
loan bank credit debt
move relocate relocation moving
home house flat apartment place live
live reside stay
room bedroom kitchen study attic
journey trip travel voyage vacation holiday tour getaway
travel fly flight drive go visit
road drive trip
visit see stay guest
hike hiking walk trail trek
walk stroll hike
run jog marathon race
race competition tournament contest championship
swim pool lido swimmer length lap
climb boulder climbing route
exercise train training workout fitness gym
bike bicycle cycle cycling
car drive vehicle automobile
motorcycle motorbike bike
picture photo photograph image
paint painting canvas artwork picture watercolor
draw drawing sketch illustrate illustration
pottery clay ceramic bowl pot kiln mug
sculpture carve statue
film movie documentary cinema
book novel read story
write writing author writer publish
publish publisher release print
song tune melody sing music
concert gig perform performance stage show recital
band orchestra quartet choir group
teacher teach tutor instructor professor coach mentor
student pupil learner class
lesson class course seminar workshop
learn study practice training
school college university
degree graduate graduation diploma
exam test assessment
doctor physician doc medical
doctor hospital clinic
hospital ward clinic
operation surgery surgeon procedure
medicine pill medication drug tablet prescription
sick ill illness unwell disease
hurt injure injury wound pain sore
accident crash fall
die death pass gone funeral bury grief
funeral bury grave cemetery
sad upset down unhappy cry heartbroken low
happy glad joy thrilled delighted excited
afraid scared fear frighten terrified nervous anxious
angry mad furious cross
quarrel argue fight argument row
worry worried concern
proud pride achievement
tired exhausted sleepy
stress stressful pressure overwhelmed tense burnout
relax calm unwind rest destress
therapy therapist counselor counselling counseling
support help encourage
help assist volunteer aid
like love enjoy favorite favourite prefer fan
hate dislike
want wish hope plan would
plan intend going future goal dream
dream goal ambition aspire
decide decision choose choice pick
begin start first launch
finish end complete done
stop quit drop give
continue keep still
try attempt
win victory champion prize award trophy
prize award medal place
get receive
give present gift donate
bring carry
lose lost miss
find found discover
break broke broken damage crack
repair fix mend restore
build make construct create
make create bake craft
cook bake recipe dish
eat meal dinner lunch breakfast supper
food meal dish cuisine
restaurant cafe diner bistro tavern
drink coffee tea beer wine
garden plant grow vegetable
flower bloom blossom
tree wood forest
forest wood woods
sea ocean beach coast seaside shore
beach coast sand
mountain hill peak hut alps
lake river water
boat ship sail sailing
animal pet
adopt adoption rescue shelter
dog puppy pup
cat kitten
vet veterinary animal
child childhood young grow
old age year birthday turn
birthday turn age born
age old
name call named nickname
big large huge
small tiny little
often every times
long time years
recent lately recently new
country abroad homeland
origin roots native born hometown
city town
party celebrate celebration
gift present
letter write mail card
phone call ring
computer laptop programming software coding
game gaming play video
robbery rob steal theft stolen burglar
police officer
lawyer solicitor attorney law legal
storm wind rain weather
hot heat warm
cold freeze frozen ice
church parish faith
politics campaign election vote
community group club member
group club meeting join
join member sign
event festival fair conference
meet encounter met
talk speak conversation discuss chat
speech talk presentation lecture
reason because why
idea inspire inspiration
inspire motivate motivation
create creative art
symbol symbolize represent mean meaning
memory remember souvenir keepsake
remind memory
beautiful pretty lovely
problem trouble issue challenge difficulty
challenge difficult hard tough struggle
change different transform
identity gender transgender lgbtq queer gay
research look search investigate
clothes clothing dress shirt
sleep nap bed asleep
share show
near close next
town village
newspaper magazine press article review
review critic
host organize organise arrange
photograph camera photographer
necklace ring jewelry jewellery bracelet
blanket quilt knit
roommate flatmate
nursing nurse care caregiver
guest visitor attend
audience attend people
deadline due hand submit
submit send hand
income money earn
vaccine shot injection
smoke cigarette smoking
diet weight slim lose
scar wound
glasses eye
hearing ear deaf
teeth tooth dentist
test exam result
`;
